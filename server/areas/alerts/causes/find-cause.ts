import type { AlertKindName } from '../../../../contract/alert-kinds.ts'
import type { Context } from '../../../context.ts'
import type { About } from '../about.ts'
import type { Cause } from '../incident.ts'
import { createGathering, type Gathering } from './gathering.ts'
import { ofCertificate } from './of-certificate.ts'
import { ofCheck } from './of-check.ts'
import { ofContainer } from './of-container.ts'
import { ofDeployment } from './of-deployment.ts'
import { ofDisk } from './of-disk.ts'
import { ofLoad } from './of-load.ts'
import { ofUnreachable } from './of-unreachable.ts'

/** Adds what it finds as it finds it. */
type Find = (ctx: Context, about: About, gathering: Gathering, signal: AbortSignal) => Promise<void>

const finders: Record<AlertKindName, Find> = {
  server_unreachable: ofUnreachable,
  cpu: ofLoad,
  memory: ofLoad,
  disk: ofDisk,
  load: ofLoad,
  container_cpu: ofContainer,
  container_memory: ofContainer,
  container_stopped: ofContainer,
  container_unhealthy: ofContainer,
  container_restarting: ofContainer,
  container_oom: ofContainer,
  deployment_failed: ofDeployment,
  http_check: ofCheck,
  certificate_expiry: ofCertificate,
}

/** Milliseconds: people are waiting to be told. */
const limit = 3_000

/** What it comes from, as far as that is found in time. That nothing is found is no failure. */
export async function findCause(ctx: Context, about: About, signal: AbortSignal): Promise<Cause> {
  const gathering = createGathering()
  const stop = new AbortController()
  const end = () => stop.abort()
  const timer = setTimeout(end, limit)
  const isOver = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))
  // The signal of the engine lives long, so nothing of this may stay with it.
  signal.addEventListener('abort', end, { once: true })
  const finding = finders[about.alert.kind](ctx, about, gathering, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted)
      ctx.log.debug({ kind: about.alert.kind, error: String(error) }, 'Not all of a cause was found')
  })
  await Promise.race([finding, isOver])
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
  end()
  return gathering.found()
}

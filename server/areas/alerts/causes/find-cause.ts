import type { AlertKindName } from '../../../../contract/shared/alert-kinds.ts'
import type { Context } from '../../../context.ts'
import { allowManyListeners } from '../../../platform/async.ts'
import type { IncidentStep } from '../incident-step.ts'
import type { Observation } from '../observation.ts'
import type { Cause } from '../incident.ts'
import { createCauseCollector, type CauseCollector } from './cause-collector.ts'
import { addCheckCause } from './check-cause.ts'
import { addContainerCause } from './container-cause.ts'
import { addDiskCause } from './disk-cause.ts'
import { addLoadCause } from './load-cause.ts'
import { addApplicationSecrets } from '../application-secrets.ts'
import { findCertificate, listServerApplicationNames } from './store.ts'
import { findSubjectServer } from './find-subject-server.ts'
import { findRelease } from '../../applications/release.ts'
import { getDeploymentRow } from '../../deployments/run/deployment.ts'
import { openErrors } from '../../deployments/run/sealed-errors.ts'
import { readLastLines } from '../../outputs/output.ts'
import { formatNames } from '../../../../contract/shared/format-list.ts'

/** Omits seconds and uses UTC, because members read it in different time zones: `2026-11-16 09:58 UTC`. */
const formatUtc = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const lines = 10

async function addDeploymentCause(
  ctx: Context,
  { subject, reading }: Observation,
  gathering: CauseCollector,
): Promise<void> {
  const { workspace_id: workspaceId } = subject
  if (!reading.deployment_id) return
  const row = await getDeploymentRow(ctx.db, workspaceId, reading.deployment_id)
  const release = row.release_id ? await findRelease(ctx.db, workspaceId, row.release_id) : undefined
  await addApplicationSecrets(ctx, ctx.db, subject, gathering, release)
  const [error, ...containerLines] = openErrors(ctx, row)
  gathering.fact('Error', error)
  gathering.fact('Step', row.steps.find(({ status }) => status === 'failed')?.name)
  gathering.fact('Deployment', row.message)
  gathering.fact('Requested by', row.actor_name)
  gathering.fact('Commit', row.commit && `${row.commit.sha.slice(0, 7)} ${row.commit.message}`)
  gathering.fact('Image', row.tag ?? release?.image)
  gathering.fact('Server', row.server_name)
  // Prefer the output of the container that failed; otherwise use the last lines of the deployment log.
  gathering.addLogLines(
    containerLines.length > 0 ? containerLines : await readLastLines(ctx, ctx.db, workspaceId, row.id, lines),
  )
}

const mostNames = 8

async function addUnreachableCause(
  ctx: Context,
  { subject, reading }: Observation,
  gathering: CauseCollector,
) {
  const { workspace_id: workspaceId } = subject
  const server = await findSubjectServer(ctx, subject)
  if (!server) return
  gathering.fact('Reason', server.reason ?? reading.detail)
  gathering.fact('Last seen', server.last_seen_at && formatUtc(server.last_seen_at))
  const names = await listServerApplicationNames(ctx.db, workspaceId, server.id)
  gathering.fact('Applications', formatNames(names, mostNames))
}

async function addCertificateCause(
  ctx: Context,
  { subject }: Observation,
  gathering: CauseCollector,
): Promise<void> {
  const { workspace_id: workspaceId, name: host } = subject
  const certificate = await findCertificate(ctx.db, workspaceId, host)
  if (!certificate) return
  const { kind, issuer, expires_at: ends, error, next_try_at: next } = certificate
  gathering.fact('Application', await addApplicationSecrets(ctx, ctx.db, subject, gathering))
  gathering.fact('Expires', ends && formatUtc(ends))
  gathering.fact('Issued by', issuer)
  if (kind === 'uploaded') gathering.fact('Renewal', 'Uploaded certificate: upload a new one')
  else {
    gathering.fact('Last renewal failed', error)
    gathering.fact('Next attempt', next && formatUtc(next))
  }
}

type Find = (
  ctx: Context,
  about: Observation,
  gathering: CauseCollector,
  signal: AbortSignal,
) => Promise<void>

const finders: Record<AlertKindName, Find> = {
  server_unreachable: addUnreachableCause,
  cpu: addLoadCause,
  memory: addLoadCause,
  disk: addDiskCause,
  load: addLoadCause,
  container_cpu: addContainerCause,
  container_memory: addContainerCause,
  container_stopped: addContainerCause,
  container_unhealthy: addContainerCause,
  container_restarting: addContainerCause,
  container_oom: addContainerCause,
  deployment_failed: addDeploymentCause,
  http_check: addCheckCause,
  certificate_expiry: addCertificateCause,
}

/** Milliseconds. Keeps the limit short because it delays the notification. */
const limit = 3_000

/** Returns what was found before the time limit. An empty cause is not an error. */
export async function findCause(ctx: Context, about: Observation, signal: AbortSignal): Promise<Cause> {
  const gathering = createCauseCollector()
  const stop = new AbortController()
  const end = () => stop.abort()
  const timer = setTimeout(end, limit)
  const timedOut = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))
  // The engine's signal outlives this call, so the listener must be removed.
  signal.addEventListener('abort', end, { once: true })
  const finding = finders[about.alert.kind](ctx, about, gathering, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted)
      ctx.log.debug(
        { kind: about.alert.kind, error: String(error) },
        'Could not determine the complete cause',
      )
  })
  await Promise.race([finding, timedOut])
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
  end()
  return gathering.found()
}

/** Milliseconds for all causes of a pass, so that no notification is delayed longer. */
const passLimit = 3_000
const concurrency = 20

/** Adds the cause to each incident that starts; those not found in time are reported without one. */
export async function findCauses(
  ctx: Context,
  steps: readonly IncidentStep[],
  ending: AbortSignal,
): Promise<void> {
  const signal = allowManyListeners(ending)
  const waiting = steps.filter((step) => step.change === 'firing')
  const began = performance.now()
  async function work() {
    for (let step = waiting.shift(); step; step = waiting.shift())
      if (!signal.aborted && performance.now() - began < passLimit)
        step.cause = await findCause(ctx, step.about, signal)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, work))
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { DockerError, RemoteError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'

/** The parts of Docker's answer that are used. */
interface DiskUsage {
  Volumes: { Name: string; UsageData?: { Size: number } | null }[] | null
}

interface Measured {
  until: number
  sizes: Promise<Map<string, number>>
}

/** Docker reads every file of every volume for it, so that it is asked for all at once and not often. */
const goodFor = 60_000
const patience = 60_000

const measured = new Map<Id<'server'>, Measured>()

/** The bytes in these volumes of a server, as far as Docker knows them; none while it cannot be asked. */
export async function measureVolumes(
  ctx: Context,
  server: ServerRow,
  names: string[],
): Promise<Map<string, number>> {
  try {
    const sizes = await sizesOn(ctx, server)
    return new Map([...sizes].filter(([name]) => names.includes(name)))
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    ctx.log.info({ server: server.id, why: error.message }, 'The sizes of its volumes are not known.')
    return new Map()
  }
}

/** Whoever asks meanwhile waits for the same answer. */
function sizesOn(ctx: Context, server: ServerRow): Promise<Map<string, number>> {
  const now = performance.now()
  for (const [id, { until }] of measured) if (until < now) measured.delete(id)
  const known = measured.get(server.id)
  if (known) return known.sizes
  const sizes = read(hostOf(ctx, server).docker)
  measured.set(server.id, { until: now + goodFor, sizes })
  // What failed is no answer for the next.
  sizes.catch(() => measured.delete(server.id))
  return sizes
}

const tries = 20

async function read(docker: Docker): Promise<Map<string, number>> {
  for (let attempt = 1; ; attempt++)
    try {
      const { Volumes: volumes } = await docker.json<DiskUsage>({ path: '/system/df', timeout: patience })
      // Where it cannot be told it is -1.
      const known = (volumes ?? []).filter(({ UsageData: usage }) => (usage?.Size ?? -1) >= 0)
      return new Map(known.map(({ Name: name, UsageData: usage }) => [name, usage?.Size ?? 0]))
    } catch (error) {
      // Older engines measure for one at a time, and refuse all others.
      const isBusy = error instanceof DockerError && /already running/.test(error.message)
      if (!isBusy || attempt === tries) throw error
      await sleep(500)
    }
}

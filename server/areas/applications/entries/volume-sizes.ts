import { LRUCache } from 'lru-cache'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { DockerError, RemoteError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'

interface DiskUsage {
  Volumes: { Name: string; UsageData?: { Size: number } | null }[] | null
}

/** Docker reads every file of every volume, so measure all at once and rarely. */
export const createVolumeSizeCache = () =>
  new LRUCache<Id<'server'>, Promise<Map<string, number>>>({ max: 1_000, ttl: 60_000 })

const patience = 60_000

/** Returns sizes in bytes as far as they are known; empty while the server is unreachable. */
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
    ctx.log.info({ server: server.id, why: error.message }, 'Volume sizes are not available')
    return new Map()
  }
}

/** Concurrent callers share one request. */
function sizesOn(ctx: Context, server: ServerRow): Promise<Map<string, number>> {
  const { volumeSizes: cache } = ctx
  const known = cache.get(server.id)
  if (known) return known
  const sizes = read(getServerHost(ctx, server).docker)
  cache.set(server.id, sizes)
  // Do not cache failures.
  sizes.catch(() => cache.delete(server.id))
  return sizes
}

const tries = 20

async function read(docker: Docker): Promise<Map<string, number>> {
  for (let attempt = 1; ; attempt++)
    try {
      const { Volumes: volumes } = await docker.json<DiskUsage>({ path: '/system/df', timeout: patience })
      // -1 means unknown.
      const known = (volumes ?? []).filter(({ UsageData: usage }) => (usage?.Size ?? -1) >= 0)
      return new Map(known.map(({ Name: name, UsageData: usage }) => [name, usage?.Size ?? 0]))
    } catch (error) {
      // Older Docker versions reject concurrent measurements.
      const isBusy = error instanceof DockerError && /already running/.test(error.message)
      if (!isBusy || attempt === tries) throw error
      await sleep(500)
    }
}

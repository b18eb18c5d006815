import type { Docker } from '../../../remote/host.ts'
import type { ServerRow } from '../../servers/server.ts'

const gibibyte = 1024 ** 3
const maxCacheBytes = 20 * gibibyte
const maxDiskShare = 0.2

/** Maximum bytes of build cache on a server. */
export const cacheBudget = ({ disk_bytes: disk }: Pick<ServerRow, 'disk_bytes'>) =>
  Math.floor(disk === null ? maxCacheBytes / 4 : Math.min(maxCacheBytes, disk * maxDiskShare))

export async function trimBuildCache(docker: Docker, server: ServerRow): Promise<void> {
  const query = new URLSearchParams({ 'keep-storage': String(cacheBudget(server)) }).toString()
  await docker.json({ method: 'POST', path: `/build/prune?${query}`, timeout: 120_000 })
}

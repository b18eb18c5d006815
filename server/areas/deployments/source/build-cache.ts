import type { Docker } from '../../../remote/host.ts'
import type { ServerRow } from '../../servers/server.ts'

const gibibyte = 1024 ** 3
const most = 20 * gibibyte
const share = 0.2

/** Bytes that builds may keep on a server for the next ones. */
export const cacheBudget = ({ disk_bytes: disk }: Pick<ServerRow, 'disk_bytes'>) =>
  Math.floor(disk === null ? most / 4 : Math.min(most, disk * share))

/** What is over the budget goes, the least used first. */
export async function trimBuildCache(docker: Docker, server: ServerRow): Promise<void> {
  const query = new URLSearchParams({ 'keep-storage': String(cacheBudget(server)) }).toString()
  await docker.json({ method: 'POST', path: `/build/prune?${query}`, timeout: 120_000 })
}

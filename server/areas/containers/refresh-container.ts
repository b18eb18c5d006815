import type { Context } from '../../context.ts'
import type { Docker } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import { type Container, presentContainer } from './container.ts'
import { readContainer } from './read-containers.ts'
import { type ContainerRow, deleteContainerRow, findContainerRow, upsertContainer } from './store.ts'
import { insertOomKill } from './oom-kills.ts'

/** Two that read the same container at the same moment; more often than that nobody is unlucky. */
const TRIES = 5

/**
 * Reads a container anew and keeps what was read; nothing when it is gone. Others may do so at the same time: who has
 * read before somebody else wrote may have read something older, and does so once more.
 */
export async function refreshContainer(
  ctx: Context,
  { workspace_id, id: serverId }: ServerRow,
  docker: Docker,
  id: string,
  signal?: AbortSignal,
): Promise<Container | undefined> {
  for (let tries = 1; ; tries++) {
    const before = await findContainerRow(ctx.db, workspace_id, serverId, id)
    const read = await readContainer(docker, id, signal)
    if (!read) {
      await deleteContainerRow(ctx.db, workspace_id, serverId, id)
      return undefined
    }
    const row = await upsertContainer(ctx.db, workspace_id, serverId, read, before?.revision ?? null)
    if (row && before && endedByKernel(before, read)) await insertOomKill(ctx.db, workspace_id, serverId, id)
    if (row) return presentContainer(row)
    if (tries === TRIES) return read
  }
}

/** Docker does not tell of every such end by itself. */
const endedByKernel = (before: ContainerRow, { oom_killed, finished_at }: Container) =>
  oom_killed === true && before.finished_at?.toISOString() !== finished_at

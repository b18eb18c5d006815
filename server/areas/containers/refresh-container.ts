import type { Context } from '../../context.ts'
import type { Docker } from '../../remote/host.ts'
import type { ServerRow } from '../servers/server.ts'
import { type Container, presentContainer } from './container.ts'
import { readContainer } from './read-containers.ts'
import { type ContainerRow, deleteContainerRow, findContainerRow, upsertContainer } from './store.ts'
import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'

/** Concurrent reads of a container rarely conflict more often than this. */
const TRIES = 5

/** Retries when another writer was faster, because this read may be older. */
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

/** Docker does not report an event for every out-of-memory kill. */
const endedByKernel = (before: ContainerRow, { oom_killed, finished_at }: Container) =>
  oom_killed === true && before.finished_at?.toISOString() !== finished_at

/** Ignores a second kill within a short time, because Docker may report it twice. */
export const insertOomKill = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>, id: string) =>
  sql`
    insert into container_troubles (workspace_id, server_id, container_id, kind, times)
    select ${workspaceId}, ${serverId}, ${id}, 'oom', 1
    where not exists (
      select from container_troubles
      where workspace_id = ${workspaceId} and server_id = ${serverId} and container_id = ${id}
        and kind = 'oom' and at > now() - interval '10 seconds'
    )`.execute(db)

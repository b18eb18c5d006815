import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'

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

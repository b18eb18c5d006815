import { sql } from 'kysely'
import { serverStatuses } from '../../../contract/servers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import type { Actor } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { toServerReply, readServerDetails } from './present-server.ts'
import type { ServerRow } from './server.ts'

export async function listServers(ctx: Context, actor: Actor, query: ServerQuery) {
  const { rows, page } = await listServerRows(ctx.db, actor.workspace.id, query)
  const details = await readServerDetails(ctx, actor.workspace.id, rows)
  return { servers: rows.map((row) => toServerReply(row, details)), page }
}

export interface ServerQuery extends SearchQuery {
  project_id?: Id<'project'> | undefined
}

const inProject = (id: Id<'project'>) => sql`and exists (
  select from project_servers p
  where p.workspace_id = servers.workspace_id and p.server_id = servers.id and p.project_id = ${id})`

/** Servers that need attention come first, then by name. */
export const listServerRows = (db: Db, workspaceId: Id<'workspace'>, query: ServerQuery) =>
  readPage<ServerRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted, array_position(${[...serverStatuses]}::text[], status)::text as urgency
        from servers where workspace_id = ${workspaceId} and name ilike ${containsPattern(query.q ?? '')}
        ${query.project_id ? inProject(query.project_id) : sql``}`,
      order: ['urgency', 'sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

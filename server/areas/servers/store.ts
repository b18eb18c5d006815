import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import { serverStatuses } from '../../../contract/servers.ts'
import { containing, readPage, type SearchQuery } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

export type ServerRow = Selectable<Tables['servers']>

export const listServerRows = (db: Db, workspaceId: Id<'workspace'>, query: SearchQuery) =>
  readPage<ServerRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted, array_position(${[...serverStatuses]}::text[], status)::text as urgency
        from servers where workspace_id = ${workspaceId} and name ilike ${containing(query.q ?? '')}`,
      order: ['urgency', 'sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const findServerRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
  db
    .selectFrom('servers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import { containing, readPage, type SearchQuery } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

export type ApplicationRow = Selectable<Tables['applications']>

export const listApplicationRows = (db: Db, workspaceId: Id<'workspace'>, query: SearchQuery) =>
  readPage<ApplicationRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted from applications where workspace_id = ${workspaceId} and name ilike ${containing(query.q ?? '')}`,
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

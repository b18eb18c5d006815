import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/page.ts'
import type { TokenLimit } from '../../route.ts'
import type { Db, Tables } from '../../tables.ts'
import { withinLimit } from '../api-tokens/token-limit.ts'

export type ApplicationRow = Selectable<Tables['applications']>

export interface ApplicationQuery extends SearchQuery {
  server_id?: Id<'server'> | undefined
  project_id?: Id<'project'> | undefined
}

export const listApplicationRows = (
  db: Db,
  workspaceId: Id<'workspace'>,
  query: ApplicationQuery,
  limit?: TokenLimit,
) =>
  readPage<ApplicationRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted from applications where workspace_id = ${workspaceId}
        and deleting_at is null and ${withinLimit(limit, 'applications')} and name ilike ${containsPattern(query.q ?? '')}
        ${query.server_id ? sql`and server_id = ${query.server_id}` : sql``}
        ${query.project_id ? sql`and project_id = ${query.project_id}` : sql``}`,
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const listRevisions = (
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<Pick<ApplicationRow, 'id' | 'revision' | 'release_id'>[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('applications')
        .select(['id', 'revision', 'release_id'])
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', [...new Set(ids)])
        .execute()

export const findApplicationRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  db
    .selectFrom('applications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockApplicationRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  db
    .selectFrom('applications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertApplication = (db: Db, row: Insertable<Tables['applications']>): Promise<ApplicationRow> =>
  db.insertInto('applications').values(row).returningAll().executeTakeFirstOrThrow()

export const updateApplicationRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
  changes: Updateable<Tables['applications']>,
) =>
  db
    .updateTable('applications')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

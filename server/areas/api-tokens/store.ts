import { type Insertable, type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import { type PageQuery, readPage } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

export const insertApiToken = (
  db: Db,
  row: Insertable<Tables['api_tokens']> & { workspace_id: Id<'workspace'> },
) => db.insertInto('api_tokens').values(row).returningAll().executeTakeFirstOrThrow()

/** Newest first. */
export const listOwn = (db: Db, workspaceId: Id<'workspace'>, userId: Id<'user'>, query: PageQuery) =>
  readPage<Selectable<Tables['api_tokens']>>(
    db,
    {
      from: sql`select * from api_tokens where workspace_id = ${workspaceId} and user_id = ${userId}`,
      order: ['id'],
      direction: 'desc',
    },
    query,
  )

export const deleteApiTokenRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  userId: Id<'user'>,
  id: Id<'apiToken'>,
) =>
  db
    .deleteFrom('api_tokens')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(['id', 'name'])
    .executeTakeFirst()

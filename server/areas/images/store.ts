import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'

export type PullRow = Selectable<Tables['pulls']>
export type PullChanges = Omit<Updateable<Tables['pulls']>, 'id' | 'workspace_id' | 'server_id'>

const unfinished = ['queued', 'running'] as const

export function listPullRows(db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>, query: PageQuery) {
  const from = sql`select * from pulls where workspace_id = ${workspaceId} and server_id = ${serverId}`
  return readPage<PullRow>(db, { from, order: ['id'], direction: 'desc' }, query)
}

export const findPullRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'pull'>) =>
  db
    .selectFrom('pulls')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findUnfinishedPull = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  image: string,
) =>
  db
    .selectFrom('pulls')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('image', '=', image)
    .where('status', 'in', unfinished)
    .executeTakeFirst()

export const insertPull = (db: Db, row: Insertable<Tables['pulls']>) =>
  db
    .insertInto('pulls')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const updatePull = (db: Db, workspaceId: Id<'workspace'>, id: Id<'pull'>, changes: PullChanges) =>
  db
    .updateTable('pulls')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', 'in', unfinished)
    .returningAll()
    .executeTakeFirst()

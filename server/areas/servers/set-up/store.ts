import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../../tables.ts'

export type SetupRow = Selectable<Tables['setups']>
export type SetupChanges = Omit<Updateable<Tables['setups']>, 'id' | 'workspace_id' | 'server_id'>

export const insertSetup = (db: Db, row: Insertable<Tables['setups']>) =>
  db.insertInto('setups').values(row).returningAll().executeTakeFirstOrThrow()

export const findSetup = (db: Db, workspaceId: Id<'workspace'>, id: Id<'setup'>) =>
  db
    .selectFrom('setups')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findLatest = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .selectFrom('setups')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const updateSetup = (db: Db, workspaceId: Id<'workspace'>, id: Id<'setup'>, changes: SetupChanges) =>
  db
    .updateTable('setups')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', 'in', underWay)
    .returningAll()
    .executeTakeFirst()

const over = ['completed', 'failed'] as const
const underWay = ['queued', 'running'] as const

export const deleteSetups = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  which: 'over' | 'all',
) =>
  db
    .deleteFrom('setups')
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('status', 'in', which === 'over' ? over : [...over, ...underWay])
    .returning('id')
    .execute()

import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Notice } from '../../../contract/notifications.ts'
import { type PageQuery, readPage } from '../../platform/page.ts'
import type { Db, Tables, Trx } from '../../tables.ts'

export type ChannelRow = Selectable<Tables['notifications']>
export type NotificationRow = ChannelRow & { waiting: number }

const counted = (workspaceId: Id<'workspace'>): RawBuilder<NotificationRow> => sql`
  select *, lower(name) as sorted, (
    select count(*) from messages where notification_id = notifications.id and status = 'waiting'
  ) as waiting from notifications where workspace_id = ${workspaceId}`

export const listNotificationRows = (db: Db, workspaceId: Id<'workspace'>, query: PageQuery) =>
  readPage<NotificationRow>(
    db,
    { from: counted(workspaceId), order: ['sorted', 'id'], direction: 'asc' },
    query,
  )

export async function findNotificationRow(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'notification'>,
): Promise<NotificationRow | undefined> {
  const { rows } = await sql<NotificationRow>`${counted(workspaceId)} and id = ${id}`.execute(db)
  return rows[0]
}

/** The lock also prevents new messages for the channel. */
export const lockNotificationRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'notification'>,
): Promise<ChannelRow | undefined> =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertNotification = (db: Db, row: Insertable<Tables['notifications']>) =>
  db.insertInto('notifications').values(row).execute()

export const deleteNotificationRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'notification'>) =>
  db
    .deleteFrom('notifications')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()

export const healthyChannel = {
  failures: 0,
  refusals: 0,
  failing_since: null,
  refused_since: null,
  reason: null,
  next_try_at: null,
}

export interface Recipient extends ChannelRow {
  workspace_name: string
}

/** The lock makes positions of messages follow the order in which they become visible. */
export async function lockRecipients(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  notice: Notice,
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select n.*, w.name as workspace_name from notifications n join workspaces w on w.id = n.workspace_id
    where n.workspace_id = ${workspaceId} and n.enabled and ${notice} = any (n.events)
    order by n.id for no key update of n`.execute(trx)
  return rows
}

export const findChannelRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'notification'>) =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const updateChannel = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'notification'>,
  changes: Updateable<Tables['notifications']>,
): Promise<ChannelRow | undefined> =>
  db
    .updateTable('notifications')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

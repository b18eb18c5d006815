import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import { type PageQuery, readPage } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'
import type { MessageRow } from './messages-store.ts'

type Row = Selectable<Tables['notifications']>
/** With how many messages wait for it. */
export type NotificationRow = Row & { waiting: number }

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

/** Nobody else changes it meanwhile, and nothing new is written for it. */
export const lockNotificationRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'notification'>,
): Promise<Row | undefined> =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertNotification = (db: Db, row: Insertable<Tables['notifications']>) =>
  db.insertInto('notifications').values(row).execute()

export const updateNotificationRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'notification'>,
  changes: Updateable<Tables['notifications']>,
) =>
  db
    .updateTable('notifications')
    .set({ ...changes, updated_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

export const deleteNotificationRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'notification'>) =>
  db
    .deleteFrom('notifications')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()

export const listMessageRows = (
  db: Db,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
  { status, ...query }: PageQuery & { status?: MessageRow['status'] | undefined },
) =>
  readPage<MessageRow>(
    db,
    {
      from: sql`select * from messages
        where workspace_id = ${workspaceId} and notification_id = ${notificationId}
          and status = coalesce(${status ?? null}, status)`,
      order: ['id'],
      direction: 'desc',
    },
    query,
  )

export const lockMessageRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
  id: Id<'message'>,
): Promise<MessageRow | undefined> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('notification_id', '=', notificationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Its tries of before stay to be read. */
export const waitAgain = (db: Db, workspaceId: Id<'workspace'>, id: Id<'message'>): Promise<MessageRow> =>
  db
    .updateTable('messages')
    .set({ status: 'waiting', waits_since: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { message } from '../../../contract/notifications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'
import type { MessageContent } from './message-content.ts'

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

export type MessageRow = Selectable<Tables['messages']>
export type AttemptResponse = z.output<typeof message>['responses'][number]

const keptResponses = 20

const responsesSealKey = (id: Id<'message'>) => `messages.answers_sealed:${id}`
const contentSealKey = (id: Id<'message'>) => `messages.content_sealed:${id}`

export interface NewMessage {
  id?: Id<'message'>
  workspace_id: Id<'workspace'>
  notification_id: Id<'notification'>
  key: string
  content: MessageContent
  incident_id?: Id<'incident'> | null
  status?: MessageRow['status']
  responses?: AttemptResponse[]
}

/** Inserts nothing when the channel already has a message with this key. */
export function insertMessage(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  message: NewMessage,
): Promise<MessageRow | undefined> {
  const { content, responses = [], status = 'waiting', incident_id = null, ...rest } = message
  const id = message.id ?? newId('message')
  return db
    .insertInto('messages')
    .values({
      ...rest,
      id,
      incident_id,
      kind: content.kind,
      event: content.event,
      severity: content.severity,
      title: content.title,
      content_sealed: ctx.secrets.seal(contentSealKey(id), JSON.stringify(content)),
      status,
      tries: responses.length,
      answers_sealed: sealResponses(ctx, id, responses),
      sent_at: status === 'sent' ? new Date() : null,
    })
    .onConflict((conflict) => conflict.columns(['notification_id', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export const openContent = (
  { secrets }: Pick<Context, 'secrets'>,
  row: Pick<MessageRow, 'id' | 'content_sealed'>,
): MessageContent => JSON.parse(secrets.open(contentSealKey(row.id), row.content_sealed)) as MessageContent

/** Returns the oldest queued message, because messages must arrive in order. */
export const findNextMessage = (
  db: Db,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
): Promise<MessageRow | undefined> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('notification_id', '=', notificationId)
    .where('status', '=', 'waiting')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()

/** Responses can quote the request and contain secrets of the receiver. */
export const sealResponses = (
  { secrets }: Pick<Context, 'secrets'>,
  id: Id<'message'>,
  responses: AttemptResponse[],
) =>
  responses.length === 0
    ? null
    : secrets.seal(responsesSealKey(id), JSON.stringify(responses.slice(-keptResponses)))

export const openResponses = (
  { secrets }: Pick<Context, 'secrets'>,
  { id, answers_sealed: sealed }: Pick<MessageRow, 'id' | 'answers_sealed'>,
): AttemptResponse[] =>
  sealed === null ? [] : (JSON.parse(secrets.open(responsesSealKey(id), sealed)) as AttemptResponse[])

export const updateMessage = (
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  message: Pick<MessageRow, 'id' | 'workspace_id' | 'answers_sealed'>,
  { status, tries }: Pick<MessageRow, 'status' | 'tries'>,
  response: AttemptResponse,
) =>
  db
    .updateTable('messages')
    .set({
      status,
      tries,
      answers_sealed: sealResponses(ctx, message.id, [...openResponses(ctx, message), response]),
      ...(status === 'sent' && { sent_at: new Date() }),
    })
    .where('workspace_id', '=', message.workspace_id)
    .where('id', '=', message.id)
    .where('status', '=', 'waiting')
    .execute()

export const listMessageRows = (
  db: Db,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
  { status, ...query }: PageQuery & { status?: MessageRow['status'] | undefined },
) =>
  readPage<MessageRow & Pick<Tables['incidents'], 'application_id'>>(
    db,
    {
      from: sql`select m.*, (select i.application_id from incidents i
          where i.workspace_id = m.workspace_id and i.id = m.incident_id) as application_id from messages m
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

export const requeueMessage = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'message'>,
): Promise<MessageRow> =>
  db
    .updateTable('messages')
    .set({ status: 'waiting', waiting_since: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

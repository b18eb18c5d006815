import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { message } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { heldLease, type Lease } from '../../platform/leases.ts'
import { type PageQuery, readPage } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'
import type { MessageContent } from './message-content.ts'
import type { ChannelRow } from './store.ts'

export type MessageRow = Selectable<Tables['messages']>
export type AttemptResponse = z.output<typeof message>['responses'][number]

/** Keeps only the newest responses of a message. */
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
  given: NewMessage,
): Promise<MessageRow | undefined> {
  const { content, responses = [], status = 'waiting', incident_id = null, ...rest } = given
  const id = given.id ?? newId('message')
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

/** Oldest first, because messages must arrive in order. */
export const listQueuedMessages = (
  db: Db,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
  most: number,
): Promise<MessageRow[]> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('notification_id', '=', notificationId)
    .where('status', '=', 'waiting')
    .orderBy('position')
    .limit(most)
    .execute()

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

const withResponses = (
  ctx: Pick<Context, 'secrets'>,
  message: Pick<MessageRow, 'id' | 'answers_sealed'>,
  tried: AttemptResponse[],
) => sealResponses(ctx, message.id, [...openResponses(ctx, message), ...tried])

/**
 * Combines `updateMessage` and the channel update in one statement for the common case. Returns undefined when the
 * lease is lost or the channel was deleted.
 */
export async function markMessageSent(
  ctx: Pick<Context, 'db' | 'secrets'>,
  lease: Lease,
  message: MessageRow,
  tried: AttemptResponse[],
): Promise<ChannelRow | undefined> {
  const { workspace_id, notification_id, id, tries } = message
  const { rows } = await sql<ChannelRow>`
    with held as materialized (${heldLease(lease)}), marked as (
      update messages set status = 'sent', sent_at = now(), tries = ${tries + tried.length},
        answers_sealed = ${withResponses(ctx, message, tried)}
      from held where workspace_id = ${workspace_id} and messages.id = ${id} and status = 'waiting'
    )
    select n.* from notifications n, held
    where n.workspace_id = ${workspace_id} and n.id = ${notification_id}`.execute(ctx.db)
  return rows[0]
}

/** Appends the response to the earlier ones. */
export async function updateMessage(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  message: MessageRow,
  status: MessageRow['status'],
  tried: AttemptResponse[],
): Promise<void> {
  const { workspace_id, id, tries } = message
  await db
    .updateTable('messages')
    .set({
      status,
      tries: tries + tried.length,
      answers_sealed: withResponses(ctx, message, tried),
      ...(status === 'sent' && { sent_at: new Date() }),
    })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
}

/** Stores the reason as a response, because there was no attempt. */
export const failUnsentMessage = (
  ctx: Pick<Context, 'db' | 'secrets'>,
  message: Pick<MessageRow, 'id' | 'workspace_id' | 'answers_sealed'>,
  response: AttemptResponse,
) =>
  ctx.db
    .updateTable('messages')
    .set({ status: 'failed', answers_sealed: withResponses(ctx, message, [response]) })
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

/** Keeps the earlier responses. */
export const requeueMessage = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'message'>,
): Promise<MessageRow> =>
  db
    .updateTable('messages')
    .set({ status: 'waiting', waits_since: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

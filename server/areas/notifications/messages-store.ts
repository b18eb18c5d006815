import { type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import type { Notice } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { heldLease, type Lease } from '../../platform/leases.ts'
import type { Db, Tables, Trx } from '../../tables.ts'
import type { Content } from './content.ts'

export type ChannelRow = Selectable<Tables['notifications']>
export type MessageRow = Selectable<Tables['messages']>
export type Answer = MessageRow['answers'][number]

/** How many answers are kept of a message, the newest. */
const keptAnswers = 20

/** A channel through which messages go. */
export const well = {
  failures: 0,
  refusals: 0,
  failing_since: null,
  refused_since: null,
  reason: null,
  next_try_at: null,
}

const contentPlace = (id: Id<'message'>) => `messages.content_sealed:${id}`

export interface Taker extends ChannelRow {
  workspace_name: string
}

/**
 * The channels that want to be told of something. Nobody writes for them until the transaction ends, so that the positions of
 * messages are in the order in which they can be seen.
 */
export async function lockTakers(trx: Trx, workspaceId: Id<'workspace'>, notice: Notice): Promise<Taker[]> {
  const { rows } = await sql<Taker>`
    select n.*, w.name as workspace_name from notifications n join workspaces w on w.id = n.workspace_id
    where n.workspace_id = ${workspaceId} and n.enabled and ${notice} = any (n.events)
    order by n.id for no key update of n`.execute(trx)
  return rows
}

export interface NewMessage {
  id?: Id<'message'>
  workspace_id: Id<'workspace'>
  notification_id: Id<'notification'>
  key: string
  content: Content
  incident_id?: Id<'incident'> | null
  status?: MessageRow['status']
  answers?: Answer[]
}

/** Nothing when the channel was told of the same before. */
export function insertMessage(
  { secrets }: Pick<Context, 'secrets'>,
  db: Db,
  given: NewMessage,
): Promise<MessageRow | undefined> {
  const { content, answers = [], status = 'waiting', incident_id = null, ...rest } = given
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
      content_sealed: secrets.seal(contentPlace(id), JSON.stringify(content)),
      status,
      tries: answers.length,
      answers: JSON.stringify(answers.slice(-keptAnswers)),
      sent_at: status === 'sent' ? new Date() : null,
    })
    .onConflict((conflict) => conflict.columns(['notification_id', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** What we sealed ourselves is what we wrote. */
export const openContent = (
  { secrets }: Pick<Context, 'secrets'>,
  row: Pick<MessageRow, 'id' | 'content_sealed'>,
): Content => JSON.parse(secrets.open(contentPlace(row.id), row.content_sealed)) as Content

export const findChannelRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'notification'>) =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The first ones, which nothing may overtake. */
export const listWaiting = (
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

const answersOf = ({ answers }: MessageRow, tried: Answer[]) =>
  JSON.stringify([...answers, ...tried].slice(-keptAnswers))

/**
 * The same as `updateMessage` for one that was sent, in one statement, as most of them are: undefined when the job is
 * another's by now, or the channel was deleted.
 */
export async function markSent(
  db: Db,
  lease: Lease,
  message: MessageRow,
  tried: Answer[],
): Promise<ChannelRow | undefined> {
  const { workspace_id, notification_id, id, tries } = message
  const { rows } = await sql<ChannelRow>`
    with held as materialized (${heldLease(lease)}), marked as (
      update messages set status = 'sent', sent_at = now(), tries = ${tries + tried.length},
        answers = ${answersOf(message, tried)}
      from held where workspace_id = ${workspace_id} and messages.id = ${id} and status = 'waiting'
    )
    select n.* from notifications n, held
    where n.workspace_id = ${workspace_id} and n.id = ${notification_id}`.execute(db)
  return rows[0]
}

/** What was answered, behind what was before. */
export async function updateMessage(
  db: Db,
  message: MessageRow,
  status: MessageRow['status'],
  tried: Answer[],
): Promise<void> {
  const { workspace_id, id, tries } = message
  await db
    .updateTable('messages')
    .set({
      status,
      tries: tries + tried.length,
      answers: answersOf(message, tried),
      ...(status === 'sent' && { sent_at: new Date() }),
    })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
}

/** Gives it back as it is then, if it is there. */
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

/** Not when somebody has seen to it since it was read: then what went wrong before counts no more. */
export const updateTriedChannel = (
  db: Db,
  read: ChannelRow,
  changes: Updateable<Tables['notifications']>,
): Promise<ChannelRow | undefined> =>
  db
    .updateTable('notifications')
    .set(changes)
    .where('workspace_id', '=', read.workspace_id)
    .where('id', '=', read.id)
    .where('failures', '=', read.failures)
    .where('failing_since', 'is not distinct from', read.failing_since)
    .where('settings_sealed', 'is not distinct from', read.settings_sealed)
    .where('paused_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

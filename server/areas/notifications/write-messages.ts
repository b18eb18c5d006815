import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Notice } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Listener } from '../../events.ts'
import { errorCode, isConnectionLost } from '../../platform/db.ts'
import type { Trx } from '../../tables.ts'
import { findIncident } from '../alerts/incident.ts'
import { workspaceUrl } from '../workspaces/plan.ts'
import { incidentStartKey } from './contents/alert.ts'
import {
  eventSentence,
  type MessageContent,
  type NotifiedEvent,
  type RenderedMessage,
  type RenderMessage,
  renderNotice,
} from './message-content.ts'
import { enqueueSending } from './send-messages.ts'
import { type ChannelRow, insertMessage } from './store.ts'

type RecipientFilter = (trx: Trx, event: NotifiedEvent, subscribed: Recipient[]) => Promise<Recipient[]>

/** Writes a message for each channel in the transaction that marks the event as delivered, so that none is lost. */
export const notify =
  (notice: Notice, render: RenderMessage, filter?: RecipientFilter): Listener =>
  async (ctx, trx, event) => {
    const subscribed = await lockRecipients(trx, event.workspace_id, notice)
    const recipients = filter && subscribed.length > 0 ? await filter(trx, event, subscribed) : subscribed
    if (recipients.length === 0) return
    const rendered = { key: `event:${event.id}`, ...(await renderOrFallback(ctx, trx, event, render)) }
    await writeMessages(ctx, trx, recipients, rendered, { event: notice, at: event.created_at })
  }

/** Writes nothing for a channel that already has a message with the key. */
export async function writeMessages(
  ctx: Context,
  trx: Trx,
  recipients: readonly Recipient[],
  { key, ...message }: RenderedMessage & { key: string },
  { event, at }: { event: Notice; at: Date },
): Promise<void> {
  for (const recipient of recipients) {
    const workspace = { id: recipient.workspace_id, name: recipient.workspace_name }
    const link = { ...message.link, url: workspaceUrl(message.link.url, workspace.id) }
    const content = { ...message, link, event, at: at.toISOString(), workspace }
    await writeMessage(ctx, trx, recipient, key, content)
  }
}

interface Recipient extends ChannelRow {
  workspace_name: string
}

/** Locks the channels, so that positions of messages follow the order in which their transactions commit. */
export async function lockRecipients(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  notice: Notice,
  only: Id<'notification'> | null = null,
): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select n.*, w.name as workspace_name from notifications n join workspaces w on w.id = n.workspace_id
    where n.workspace_id = ${workspaceId} and n.enabled and ${notice} = any (n.events)
      and n.id = coalesce(${only}, n.id)
    order by n.id for no key update of n`.execute(trx)
  return rows
}

async function writeMessage(
  ctx: Context,
  trx: Trx,
  { workspace_id, id: notification_id, paused_at, next_try_at }: Recipient,
  key: string,
  content: MessageContent,
): Promise<void> {
  const incident_id = (content.ids['incident_id'] ?? null) as Id<'incident'> | null
  const row = await insertMessage(ctx, trx, { workspace_id, notification_id, key, content, incident_id })
  // A paused channel sends after it is resumed, and one in backoff has a job already.
  if (!row || paused_at || (next_try_at && next_try_at > ctx.now())) return
  await enqueueSending(ctx, trx, workspace_id, notification_id)
}

/** Falls back to the event's sentence when its subject was deleted, so that other events are still delivered. */
async function renderOrFallback(
  ctx: Context,
  trx: Trx,
  event: NotifiedEvent,
  render: RenderMessage,
): Promise<RenderedMessage> {
  try {
    return await render(ctx, trx, event)
  } catch (error) {
    if (!(error instanceof Problem)) {
      // A database error aborts the transaction, so it must be retried as a whole.
      if (isConnectionLost(error) || /^[0-9A-Z]{5}$/.test(errorCode(error) ?? '')) throw error
      ctx.log.error({ event: event.id, reason: String(error) }, 'Failed to render the message of an event')
    }
    // The fallback omits all other details, because they may contain secrets that could not be masked.
    return renderNotice(ctx, ['Open Slipway', ''], { severity: 'info', title: eventSentence(event) })
  }
}

export const selectAlertChannels: RecipientFilter = async (trx, { workspace_id, about }, subscribed) => {
  const { rows } = await sql<Pick<Recipient, 'id'>>`
    select n.id from notifications n join alerts a on a.workspace_id = n.workspace_id and a.id = ${about}
    where n.workspace_id = ${workspace_id} and (a.all_channels or exists (
      select from alert_channels c where c.alert_id = a.id and c.notification_id = n.id))`.execute(trx)
  return onlyIn(rows, subscribed)
}

/** Selects channels that were notified of the start, even when the alert has changed or was deleted. */
export const previouslyNotified: RecipientFilter = async (trx, { workspace_id, target_id }, subscribed) => {
  const incident = await findIncident(trx, workspace_id, target_id as Id<'incident'>)
  if (!incident) return []
  const rows = await trx
    .selectFrom('messages')
    .select('notification_id as id')
    .distinct()
    .where('workspace_id', '=', workspace_id)
    // A failed deployment may have been notified before its incident existed.
    .where((is) => is.or([is('incident_id', '=', incident.id), is('key', '=', incidentStartKey(incident))]))
    .execute()
  return onlyIn(rows, subscribed)
}

/** The paused channel cannot deliver its own notice. */
export const selectOtherChannels: RecipientFilter = async (_trx, { target_id }, subscribed) =>
  subscribed.filter(({ id }) => id !== target_id)

function onlyIn(rows: Pick<Recipient, 'id'>[], subscribed: Recipient[]): Recipient[] {
  const ids = new Set(rows.map(({ id }) => id))
  return subscribed.filter(({ id }) => ids.has(id))
}

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
  type NotifiedEvent,
  type RenderedMessage,
  type RenderMessage,
  renderNotice,
} from './contents/rendered-message.ts'
import type { MessageContent } from './message-content.ts'
import { insertMessage } from './messages-store.ts'
import { enqueueSending } from './send-messages.ts'
import { lockRecipients, type Recipient } from './store.ts'

type RecipientFilter = (trx: Trx, event: NotifiedEvent, subscribed: Recipient[]) => Promise<Recipient[]>

/** Writes a message for each channel in the transaction that marks the event as delivered, so that none is lost. */
export const notify =
  (notice: Notice, render: RenderMessage, filter?: RecipientFilter): Listener =>
  async (ctx, trx, event) => {
    const subscribed = await lockRecipients(trx, event.workspace_id, notice)
    const recipients = filter && subscribed.length > 0 ? await filter(trx, event, subscribed) : subscribed
    const [first] = recipients
    if (!first) return
    const { key = `event:${event.id}`, ...message } = await renderOrFallback(ctx, trx, event, render)
    const workspace = { id: event.workspace_id, name: first.workspace_name }
    const link = { ...message.link, url: workspaceUrl(message.link.url, workspace.id) }
    const content = { ...message, link, event: notice, at: event.created_at.toISOString(), workspace }
    for (const recipient of recipients) await writeMessage(ctx, trx, recipient, key, content)
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
      ctx.log.error({ event: event.id, why: String(error) }, 'Could not render the message of an event.')
    }
    // Other details may contain a secret that could not be masked.
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

/** Includes channels that were notified of the start, even when the alert has changed or was deleted. */
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

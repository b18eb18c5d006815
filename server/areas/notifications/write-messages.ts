import type { Id } from '../../../contract/shared/ids.ts'
import type { Notice } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Listener } from '../../outbox.ts'
import { errorCode, isConnectionLost } from '../../platform/db.ts'
import type { Trx } from '../../tables.ts'
import type { MessageContent } from './message-content.ts'
import { insertMessage } from './messages-store.ts'
import { workspaceUrl } from '../workspaces/links.ts'
import { lockRecipients, type Recipient } from './store.ts'
import { enqueueSending } from './enqueue-sending.ts'
import { eventSentence } from './event-sentence.ts'
import type { RecipientFilter } from './recipients.ts'
import type { NotifiedEvent, RenderMessage, RenderedMessage } from './rendered-message.ts'

interface NotificationRule {
  notice: Notice
  say: RenderMessage
  among?: RecipientFilter
}

/** Runs in the transaction that marks the event as delivered, so that no message is lost or doubled. */
export const createMessageWriter =
  ({ notice, say, among }: NotificationRule): Listener =>
  async (ctx, trx, event) => {
    const wanting = await lockRecipients(trx, event.workspace_id, notice)
    const takers = among && wanting.length > 0 ? await among(trx, event, wanting) : wanting
    const [first] = takers
    if (!first) return
    const { key = `event:${event.id}`, ...words } = await renderOrFallback(ctx, trx, event, say)
    const workspace = { id: event.workspace_id, name: first.workspace_name }
    const link = { ...words.link, url: workspaceUrl(words.link.url, workspace.id) }
    const content = { ...words, link, event: notice, at: event.created_at.toISOString(), workspace }
    for (const taker of takers) await write(ctx, trx, taker, { key, content })
  }

/** Channels that a transaction has queued already: one transaction relays many events and ends within seconds. */
const queuedChannels = new WeakMap<Trx, Set<string>>()

async function write(
  ctx: Context,
  trx: Trx,
  { workspace_id, id: notification_id, paused_at, next_try_at }: Recipient,
  { key, content }: { key: string; content: MessageContent },
): Promise<void> {
  const incident_id = (content.ids['incident_id'] ?? null) as Id<'incident'> | null
  const made = await insertMessage(ctx, trx, { workspace_id, notification_id, key, content, incident_id })
  // A paused channel sends after it is resumed, and one in backoff has a job already.
  if (!made || paused_at || (next_try_at && next_try_at > ctx.now())) return
  const already = queuedChannels.get(trx) ?? new Set()
  if (already.has(notification_id)) return
  queuedChannels.set(trx, already.add(notification_id))
  await enqueueSending(ctx, trx, workspace_id, notification_id)
}

/** Falls back to the event's sentence when its subject was deleted, so that other events are still delivered. */
async function renderOrFallback(
  ctx: Context,
  trx: Trx,
  event: NotifiedEvent,
  say: RenderMessage,
): Promise<RenderedMessage> {
  try {
    return await say(ctx, trx, event)
  } catch (error) {
    if (!(error instanceof Problem)) {
      // A database error aborts the transaction, so it must be retried as a whole.
      if (isConnectionLost(error) || /^[0-9A-Z]{5}$/.test(errorCode(error) ?? '')) throw error
      ctx.log.error({ event: event.id, why: String(error) }, 'Could not render the message of an event.')
    }
    return named(ctx, event)
  }
}

const named = ({ config }: Pick<Context, 'config'>, event: NotifiedEvent): RenderedMessage => ({
  kind: 'happened',
  severity: 'info',
  title: eventSentence(event),
  // Other details may contain a secret that could not be masked.
  text: '',
  facts: [],
  lines: [],
  link: { label: 'Open Slipway', url: `${config.PUBLIC_URL}/dashboard` },
  ids: {},
})

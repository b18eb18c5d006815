import type { Id } from '../../../contract/shared/ids.ts'
import type { Notice } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Listener } from '../../outbox.ts'
import { errorCode, isConnectionLost } from '../../platform/db.ts'
import type { Trx } from '../../tables.ts'
import type { Content } from './content.ts'
import { insertMessage } from './messages-store.ts'
import { inWorkspace } from '../workspaces/links.ts'
import { lockTakers, type Taker } from './store.ts'
import { requestSending } from './request-sending.ts'
import { sentenceOf } from './sentence.ts'
import type { Among } from './takers.ts'
import type { Event, Say, Telling } from './telling.ts'

interface Tells {
  notice: Notice
  say: Say
  among?: Among
}

/** Writes a message for each channel that wants it, in the transaction that marks the event as handed on. */
export const tells =
  ({ notice, say, among }: Tells): Listener =>
  async (ctx, trx, event) => {
    const wanting = await lockTakers(trx, event.workspace_id, notice)
    const takers = among && wanting.length > 0 ? await among(trx, event, wanting) : wanting
    const [first] = takers
    if (!first) return
    const { key = `event:${event.id}`, ...words } = await sayOrName(ctx, trx, event, say)
    const workspace = { id: event.workspace_id, name: first.workspace_name }
    const link = { ...words.link, url: inWorkspace(words.link.url, workspace.id) }
    const content = { ...words, link, event: notice, at: event.created_at.toISOString(), workspace }
    for (const taker of takers) await write(ctx, trx, taker, { key, content })
  }

/** The channels for which a transaction has asked already: many events are handed on in one. */
const asked = new WeakMap<Trx, Set<string>>()

async function write(
  ctx: Context,
  trx: Trx,
  { workspace_id, id: notification_id, paused_at, next_try_at }: Taker,
  { key, content }: { key: string; content: Content },
): Promise<void> {
  const incident_id = (content.ids['incident_id'] ?? null) as Id<'incident'> | null
  const made = await insertMessage(ctx, trx, { workspace_id, notification_id, key, content, incident_id })
  // Whoever takes it up again sends it; and for one that is to be left alone a job is there already.
  if (!made || paused_at || (next_try_at && next_try_at > ctx.now())) return
  const already = asked.get(trx) ?? new Set()
  if (already.has(notification_id)) return
  asked.set(trx, already.add(notification_id))
  await requestSending(ctx, trx, workspace_id, notification_id)
}

/** What it is about may be gone by now, and nothing may keep the other events from being handed on. */
async function sayOrName(ctx: Context, trx: Trx, event: Event, say: Say): Promise<Telling> {
  try {
    return await say(ctx, trx, event)
  } catch (error) {
    if (!(error instanceof Problem)) {
      // After an error of the database nothing can follow in this transaction: all of it is done again.
      if (isConnectionLost(error) || /^[0-9A-Z]{5}$/.test(errorCode(error) ?? '')) throw error
      ctx.log.error({ event: event.id, why: String(error) }, 'Could not render the message of an event.')
    }
    return named(ctx, event)
  }
}

const named = ({ config }: Pick<Context, 'config'>, event: Event): Telling => ({
  kind: 'happened',
  severity: 'info',
  title: sentenceOf(event),
  // What else is known of it may hold a secret, which could not be looked for.
  text: '',
  facts: [],
  lines: [],
  link: { label: 'Open Slipway', url: `${config.PUBLIC_URL}/dashboard` },
  ids: {},
})

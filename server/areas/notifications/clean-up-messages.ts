import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { deleteInBatches } from '../../platform/db.ts'
import { enqueueSending } from './send-messages.ts'
import { type MessageRow, updateMessage } from './store.ts'

const messageRetentionDays = 30
const notSentInTime = 'Not sent within 24 hours because the channel was paused or off.'

/** Deletes old messages. Unsent messages fail after a day, because outdated alerts mislead. */
export async function cleanUpMessages(ctx: Context, signal: AbortSignal): Promise<void> {
  await failOutdatedMessages(ctx)
  await requeueChannels(ctx)
  await deleteInBatches(ctx.db, 'messages', old, signal)
}

async function failOutdatedMessages(ctx: Context): Promise<void> {
  const response = { at: ctx.now().toISOString(), ok: false, response: notSentInTime, duration_ms: 0 }
  const { rows } = await sql<Pick<MessageRow, 'id' | 'workspace_id' | 'answers_sealed' | 'tries'>>`
    select m.id, m.workspace_id, m.answers_sealed, m.tries from messages m
    join notifications n on n.workspace_id = m.workspace_id and n.id = m.notification_id
    where (n.paused_at is not null or not n.enabled)
      and m.status = 'waiting' and m.waiting_since < now() - interval '1 day'`.execute(ctx.db)
  for (const row of rows)
    await updateMessage(ctx, ctx.db, row, { status: 'failed', tries: row.tries }, response)
}

async function requeueChannels(ctx: Context): Promise<void> {
  const { rows } = await sql<{ workspace_id: Id<'workspace'>; id: Id<'notification'> }>`
    select n.workspace_id, n.id from notifications n
    where n.enabled and n.paused_at is null
      and exists (select from messages m where m.notification_id = n.id and m.status = 'waiting'
        and m.waiting_since < now() - interval '1 minute')
      and not exists (select from jobs where key = 'channel:' || n.id and state in ('queued', 'running'))`.execute(
    ctx.db,
  )
  for (const { workspace_id, id } of rows) await enqueueSending(ctx, ctx.db, workspace_id, id)
}

/**
 * Messages of an open incident are kept, because they tell which channels receive its resolution. A resolved incident
 * counts as open for a day, because the resolution may not be written yet.
 */
const isOpen = sql`(i.state <> 'resolved' or i.resolved_at > now() - interval '1 day')`

const old = sql`created_at < now() - make_interval(days => ${messageRetentionDays}) and status <> 'waiting'
  and not exists (select from incidents i where i.id = messages.incident_id and ${isOpen})
  and not (key like 'deployment:%' and exists (select from incidents i
    where i.workspace_id = messages.workspace_id and messages.key = 'deployment:' || i.deployment_id || ':failed'
      and ${isOpen}))`

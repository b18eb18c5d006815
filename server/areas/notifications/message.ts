import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { listMessages as listing, message } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { createActorRedactor } from '../applications/redactor.ts'
import { getNotificationRow, lockNotification, resetAndSend } from './notification.ts'
import { listMessageRows, lockMessageRow, type MessageRow, openResponses, requeueMessage } from './store.ts'

const presentMessage = (ctx: Context, row: MessageRow): z.input<typeof message> => ({
  id: row.id,
  title: row.title,
  event: row.event,
  kind: row.kind,
  severity: row.severity,
  status: row.status,
  attempts: row.tries,
  responses: openResponses(ctx, row),
  incident_id: row.incident_id,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
})

export async function listMessages(
  ctx: Context,
  actor: Actor,
  id: Id<'notification'>,
  query: z.output<(typeof listing)['query']>,
) {
  await getNotificationRow(ctx.db, actor, id)
  const { rows, page } = await listMessageRows(ctx.db, actor.workspace.id, id, query)
  const redact = await createActorRedactor(
    ctx,
    actor,
    rows.map(({ application_id }) => application_id),
  )
  const history = rows.map((row) => ({
    ...presentMessage(ctx, row),
    title: redact(row.application_id, row.title),
  }))
  return { history, page }
}

export const resendMessage = (ctx: Context, actor: Actor, id: Id<'notification'>, messageId: Id<'message'>) =>
  transaction(ctx.db, async (trx) => {
    await lockNotification(trx, actor, id)
    const row = await lockMessageRow(trx, actor.workspace.id, id, messageId)
    if (!row) throw notFound('This message')
    if (row.kind === 'test')
      throw conflict('message_is_test', 'Test messages cannot be resent. Send a new test message.')
    if (row.status !== 'failed')
      throw conflict(
        'message_not_failed',
        row.status === 'sent' ? 'This message was already sent.' : 'This message is still queued.',
      )
    const again = await requeueMessage(trx, actor.workspace.id, messageId)
    await resetAndSend(ctx, trx, actor.workspace.id, id)
    await nudge(trx, actor.workspace.id, 'message.changed', id)
    return presentMessage(ctx, again)
  })

import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { nudge } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { getWorkspace } from '../workspaces/workspace.ts'
import type { MessageContent } from './message-content.ts'
import { insertMessage, type NotificationRow, updateChannel } from './store.ts'
import { getNotificationRow, lockNotification, resumeChannel } from './notification.ts'
import { trySending } from './send-messages.ts'

export async function testNotification(
  ctx: Context,
  actor: Actor,
  id: Id<'notification'>,
  signal: AbortSignal,
) {
  const row = await getNotificationRow(ctx.db, actor, id)
  const messageId = newId('message')
  const content = await testContent(ctx, actor, row)
  const at = ctx.now()
  const { result, answer, tookMs } = await trySending(ctx, row, { id: messageId, content }, signal)
  const ok = result === 'sent'
  await transaction(ctx.db, async (trx) => {
    if (ok) {
      await resumeChannel(ctx, trx, actor, id)
      await updateChannel(trx, actor.workspace.id, id, { last_sent_at: ctx.now() })
    } else await lockNotification(trx, actor, id)
    await insertMessage(ctx, trx, {
      id: messageId,
      workspace_id: actor.workspace.id,
      notification_id: id,
      key: `test:${messageId}`,
      content,
      status: ok ? 'sent' : 'failed',
      responses: [{ at: at.toISOString(), ok, response: answer, duration_ms: tookMs }],
    })
    await nudge(trx, actor.workspace.id, 'message.changed', id)
  })
  return { success: ok, response: answer }
}

async function testContent(
  ctx: Context,
  actor: Actor,
  { id, name }: NotificationRow,
): Promise<MessageContent> {
  const { name: workspace } = await getWorkspace(ctx, actor.user.id, actor.workspace.id)
  return {
    kind: 'test',
    severity: 'info',
    event: 'test',
    title: `Test message for ${name}`,
    text: `${actor.user.name} sent this message to test the channel.`,
    facts: [
      { label: 'Channel', value: name },
      { label: 'Workspace', value: workspace },
    ],
    lines: [],
    link: { label: 'View channel', url: `${ctx.config.PUBLIC_URL}/dashboard/notifications/${id}` },
    at: ctx.now().toISOString(),
    workspace: { id: actor.workspace.id, name: workspace },
    ids: { notification_id: id },
  }
}

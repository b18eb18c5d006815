import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../tables.ts'
import { updateChannel, healthyChannel } from './store.ts'
import { enqueueSending } from './enqueue-sending.ts'

/** Clears the failures, because a user has changed or resumed the channel. */
export async function resetAndSend(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
): Promise<void> {
  await updateChannel(trx, workspaceId, notificationId, { ...healthyChannel, paused_at: null })
  await enqueueSending(ctx, trx, workspaceId, notificationId)
}

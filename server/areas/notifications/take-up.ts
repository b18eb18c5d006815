import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../tables.ts'
import { updateChannel, well } from './store.ts'
import { requestSending } from './request-sending.ts'

/** Forgets what was wrong with a channel, as somebody has seen to it, and sends what waits. */
export async function takeUp(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
): Promise<void> {
  await updateChannel(trx, workspaceId, notificationId, { ...well, paused_at: null })
  await requestSending(ctx, trx, workspaceId, notificationId)
}

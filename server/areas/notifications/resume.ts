import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { lockNotification, showNotification, channelTarget } from './notification.ts'
import { resetAndSend } from './reset-and-send.ts'

export const resumeNotification = (ctx: Context, actor: Actor, id: Id<'notification'>) =>
  transaction(ctx.db, async (trx) => {
    await resumeChannel(ctx, trx, actor, id)
    return showNotification(ctx, trx, actor, id)
  })

/** Writes an event only when the channel was paused. */
export async function resumeChannel(
  ctx: Context,
  trx: Trx,
  actor: Actor,
  id: Id<'notification'>,
): Promise<void> {
  const row = await lockNotification(trx, actor, id)
  await resetAndSend(ctx, trx, actor.workspace.id, id)
  if (row.paused_at) await emit(trx, actor, actor.workspace.id, 'notification.resumed', channelTarget(row))
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { databaseAway } from '../../errors.ts'
import { underLock } from '../../platform/locks.ts'

/** Of the lock under which a call to Stripe is made, however far below. */
const held = new AsyncLocalStorage<AbortSignal>()

/** Whatever is done about the plan of a workspace is done one after the other, whichever process does it. */
export const underBillingLock = <T>(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  underLock(ctx.pool, `billing:${workspaceId}`, (signal) => held.run(signal, () => work(signal)))

/** Throws where the lock was lost: somebody else may be at it by now. */
export function mustHoldLock(): void {
  if (held.getStore()?.aborted) throw databaseAway()
}

import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { isServiceUnavailable } from '../../call-service.ts'
import { notCancelled } from './change-plan.ts'
import { noSubscription, subscriptionEnded } from './refusals.ts'
import { requestSync } from './request-sync.ts'
import { byStripe, isLive } from './status.ts'
import { askStripe, mustBeOn } from './stripe.ts'
import { presentSubscription } from './subscription.ts'
import { sync, type Synced } from './sync.ts'
import { underBillingLock } from './under-lock.ts'

/** Cancels at the end of the paid period. Idempotent. */
export const cancelSubscription = (ctx: Context, actor: Actor) =>
  changed(ctx, actor, async ({ row, subscription }) => {
    if (!row.cancel_at && subscription)
      await askStripe(ctx, (stripe) =>
        stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
      )
  })

/** Undoes a cancellation, whether made here or at Stripe. */
export const resumeSubscription = (ctx: Context, actor: Actor) =>
  changed(ctx, actor, async ({ row, subscription }) => {
    if (!row.cancel_at || !subscription) return
    const takeBack = (one: Stripe.Subscription) =>
      askStripe(ctx, (stripe) => stripe.subscriptions.update(one.id, notCancelled(one)))
    const after = await takeBack(subscription)
    // Stripe has two kinds of cancellation; undoing one may leave the other.
    if (after.cancel_at || after.cancel_at_period_end) await takeBack(after)
  })

async function changed(ctx: Context, actor: Actor, change: (found: Synced) => Promise<void>) {
  mustBeOn(ctx)
  const { id: workspaceId } = actor.workspace
  return underBillingLock(ctx, workspaceId, async () => {
    const found = await sync(ctx, workspaceId, byStripe)
    if (!found?.row.subscription_id) throw noSubscription()
    if (!isLive(found.row)) throw subscriptionEnded()
    try {
      await change(found)
    } catch (error) {
      // Stripe may have applied the change despite the error.
      if (isServiceUnavailable(error)) await requestSync(ctx, ctx.db, workspaceId)
      throw error
    }
    const after = await sync(ctx, workspaceId, actor)
    const shown = after && (await presentSubscription(ctx, after.row))
    if (!shown) throw noSubscription()
    return { subscription: shown }
  })
}

import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { isServiceUnavailable } from '../../call-service.ts'
import { resumeParams } from './change-plan.ts'
import { noSubscription, subscriptionEnded } from './billing-errors.ts'
import { requestBillingSync } from './store.ts'
import { isLiveSubscription } from '../workspaces/subscription-status.ts'
import { stripeInitiator } from './stripe.ts'
import { callStripe, assertBillingOn } from './stripe.ts'
import { presentSubscription } from './subscription.ts'
import { syncBilling, type SyncedSubscription } from './sync-billing.ts'
import { withBillingMutex } from './billing-mutex.ts'

/** Cancels at the end of the paid period. Idempotent. */
export const cancelSubscription = (ctx: Context, actor: Actor) =>
  changeSubscription(ctx, actor, async ({ row, subscription }) => {
    if (!row.cancel_at && subscription)
      await callStripe(ctx, (stripe) =>
        stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
      )
  })

/** Undoes a cancellation, whether made here or in Stripe. */
export const resumeSubscription = (ctx: Context, actor: Actor) =>
  changeSubscription(ctx, actor, async ({ row, subscription }) => {
    if (!row.cancel_at || !subscription) return
    const takeBack = (one: Stripe.Subscription) =>
      callStripe(ctx, (stripe) => stripe.subscriptions.update(one.id, resumeParams(one)))
    const after = await takeBack(subscription)
    // Stripe has two kinds of cancellation; undoing one may leave the other.
    if (after.cancel_at || after.cancel_at_period_end) await takeBack(after)
  })

async function changeSubscription(
  ctx: Context,
  actor: Actor,
  change: (found: SyncedSubscription) => Promise<void>,
) {
  assertBillingOn(ctx)
  const { id: workspaceId } = actor.workspace
  return withBillingMutex(ctx, workspaceId, async () => {
    const synced = await syncBilling(ctx, workspaceId, stripeInitiator)
    if (!synced?.row.subscription_id) throw noSubscription()
    if (!isLiveSubscription(synced.row)) throw subscriptionEnded()
    try {
      await change(synced)
    } catch (error) {
      // Stripe may have applied the change despite the error.
      if (isServiceUnavailable(error)) await requestBillingSync(ctx, ctx.db, workspaceId)
      throw error
    }
    const after = await syncBilling(ctx, workspaceId, actor)
    const shown = after && (await presentSubscription(ctx, after.row))
    if (!shown) throw noSubscription()
    return { subscription: shown }
  })
}

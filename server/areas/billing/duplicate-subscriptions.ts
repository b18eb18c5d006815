import type { Stripe } from 'stripe'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { endSubscriptionNow } from './end-subscription-now.ts'
import { payOwedRefund } from './owed-refunds.ts'
import { requestBillingSync } from './request-sync.ts'
import { findSubscribedPlan } from './subscribed-plan.ts'
import { listUntriedRefunds, insertOwedRefund, type SubscriptionRow } from './store.ts'
import { StripeRequestFailed } from './stripe-errors.ts'

/** Tolerance in seconds between creation and payment, for differing clocks. */
const clockToleranceSeconds = 60

const retryDelayMs = 60_000

/**
 * Ends and refunds duplicate subscriptions, paid at a second checkout. A failure affects neither the remaining plan nor other duplicates.
 */
export async function endDuplicates(
  ctx: Context,
  { workspace_id }: SubscriptionRow,
  kept: Stripe.Subscription,
  duplicates: Stripe.Subscription[],
): Promise<void> {
  let isDone = true
  const each = async (subscription: string, work: () => Promise<void>) => {
    isDone = (await attemptRefund(ctx, { workspace: workspace_id, subscription }, work)) && isDone
  }
  for (const one of duplicates) {
    await recordOwedRefund(ctx, workspace_id, kept, one)
    await each(one.id, () => endSubscriptionNow(ctx, one.id))
  }
  for (const owed of await listUntriedRefunds(ctx.db, workspace_id))
    await each(owed.subscription_id, () => payOwedRefund(ctx, owed))
  if (!isDone) await requestBillingSync(ctx, ctx.db, workspace_id, retryDelayMs)
}

/** Recorded before the subscription ends, since it is no longer recognizable as a duplicate afterwards. */
export async function recordOwedRefund(
  ctx: Context,
  workspace_id: Id<'workspace'> | null,
  kept: Stripe.Subscription,
  duplicate: Stripe.Subscription,
): Promise<void> {
  // Payments from before the other subscription are not refunded.
  const since = new Date((Math.max(duplicate.created, kept.created) - clockToleranceSeconds) * 1_000)
  const plan_id = findSubscribedPlan(ctx.config, duplicate)?.id ?? null
  await insertOwedRefund(ctx.db, { subscription_id: duplicate.id, workspace_id, plan_id, since })
}

/** Returns whether the refund is done or postponed to the next day. */
async function attemptRefund(ctx: Context, of: object, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    ctx.log.error({ ...of, why: String(error) }, 'Failed to refund a duplicate subscription')
    return error instanceof StripeRequestFailed
  }
}

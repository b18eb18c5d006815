import type { Stripe } from 'stripe'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { endAtOnce } from './end-at-once.ts'
import { giveBack } from './owed-refunds.ts'
import { requestSync } from './request-sync.ts'
import { findPlanSold } from './sold.ts'
import { listUntried, oweRefund, type SubscriptionRow } from './store.ts'
import { StripeRefused } from './stripe-errors.ts'

/** Tolerance in seconds between creation and payment, for differing clocks. */
const slack = 60

const soon = 60_000

/**
 * Ends and refunds duplicate subscriptions, paid at a second checkout. A failure affects neither the remaining plan nor other duplicates.
 */
export async function takeBack(
  ctx: Context,
  { workspace_id }: SubscriptionRow,
  kept: Stripe.Subscription,
  duplicates: Stripe.Subscription[],
): Promise<void> {
  let isDone = true
  const each = async (subscription: string, work: () => Promise<void>) => {
    isDone = (await isSeenTo(ctx, { workspace: workspace_id, subscription }, work)) && isDone
  }
  for (const one of duplicates) {
    await oweBack(ctx, workspace_id, kept, one)
    await each(one.id, () => endAtOnce(ctx, one.id))
  }
  for (const owed of await listUntried(ctx.db, workspace_id))
    await each(owed.subscription_id, () => giveBack(ctx, owed))
  if (!isDone) await requestSync(ctx, ctx.db, workspace_id, soon)
}

/** Recorded before the subscription ends, since it is no longer recognizable as a duplicate afterwards. */
export async function oweBack(
  ctx: Context,
  workspace_id: Id<'workspace'> | null,
  kept: Stripe.Subscription,
  duplicate: Stripe.Subscription,
): Promise<void> {
  // Payments from before the other subscription are not refunded.
  const since = new Date((Math.max(duplicate.created, kept.created) - slack) * 1_000)
  const plan_id = findPlanSold(ctx.config, duplicate)?.id ?? null
  await oweRefund(ctx.db, { subscription_id: duplicate.id, workspace_id, plan_id, since })
}

/** Returns whether the refund is done or postponed to the next day. */
async function isSeenTo(ctx: Context, of: object, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    ctx.log.error({ ...of, why: String(error) }, 'Failed to refund a duplicate subscription')
    return error instanceof StripeRefused
  }
}

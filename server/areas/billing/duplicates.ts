import type { Stripe } from 'stripe'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { endAtOnce } from './end-at-once.ts'
import { giveBack } from './owed-refunds.ts'
import { requestSync } from './request-sync.ts'
import { findPlanSold } from './sold.ts'
import { listUntried, oweRefund, type SubscriptionRow } from './store.ts'
import { StripeRefused } from './stripe-errors.ts'

/** Seconds between when it is made and paid, by clocks that need not be one. */
const slack = 60

const soon = 60_000

/**
 * Second subscriptions, paid on a page that was open beside the first: each is ended, and what was paid for it is given back.
 * Nothing of that keeps anybody from the plan that they have paid for, nor one of them from the others.
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

/** Noted before it is ended: after that nobody sees any more that it was one too many. */
export async function oweBack(
  ctx: Context,
  workspace_id: Id<'workspace'> | null,
  kept: Stripe.Subscription,
  duplicate: Stripe.Subscription,
): Promise<void> {
  // What was paid for it while there was no other was paid for something.
  const since = new Date((Math.max(duplicate.created, kept.created) - slack) * 1_000)
  const plan_id = findPlanSold(ctx.config, duplicate)?.id ?? null
  await oweRefund(ctx.db, { subscription_id: duplicate.id, workspace_id, plan_id, since })
}

/** Whether it is, or cannot be before tomorrow. */
async function isSeenTo(ctx: Context, of: object, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    ctx.log.error({ ...of, why: String(error) }, 'A second subscription could not be taken back yet.')
    return error instanceof StripeRefused
  }
}

import type { Updateable } from 'kysely'
import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import { statusOf } from './pick.ts'
import { findPlanSold, itemOf, soldAt } from './sold.ts'
import { isLive, isOwed } from './status.ts'
import type { SubscriptionRow } from './store.ts'
import { askStripe, timeOf } from './stripe.ts'

type Values = Updateable<Tables['subscriptions']>

/** What the row says from now on. */
export async function seen(
  ctx: Context,
  row: SubscriptionRow,
  subscription: Stripe.Subscription | undefined,
): Promise<Values> {
  const now = ctx.now()
  if (!subscription) return gone(row, now)
  const plan_id = findPlanSold(ctx.config, subscription)?.id ?? null
  const same = row.subscription_id === subscription.id
  const owed = isOwed(statusOf(subscription))
  return {
    subscription_id: subscription.id,
    stripe_status: subscription.status,
    plan_id,
    plan_since: row.plan_id === plan_id && row.plan_since ? row.plan_since : now,
    ...(await soldAt(ctx, subscription)),
    period_ends_at: timeOf(itemOf(ctx.config, subscription)?.current_period_end),
    trial_ends_at: timeOf(subscription.trial_end),
    cancel_at: cancelAt(ctx, subscription),
    past_due_since: owed ? (same && row.past_due_since) || now : null,
    pay_url: owed ? await findPayUrl(ctx, subscription.id) : null,
    seen_at: now,
  }
}

/** There is nothing at Stripe: either nothing was ever bought, or the customer was deleted there, and all with it. */
const gone = (row: SubscriptionRow, now: Date): Values => ({
  seen_at: now,
  ...(row.subscription_id &&
    row.stripe_status !== 'canceled' && {
      stripe_status: 'canceled',
      cancel_at: now,
      past_due_since: null,
      pay_url: null,
    }),
})

/** When it ends, or has ended. */
function cancelAt(ctx: Context, subscription: Stripe.Subscription): Date | null {
  if (!isLive(statusOf(subscription))) return timeOf(subscription.ended_at ?? subscription.canceled_at)
  if (subscription.cancel_at) return timeOf(subscription.cancel_at)
  return subscription.cancel_at_period_end
    ? timeOf(itemOf(ctx.config, subscription)?.current_period_end)
    : null
}

/** The latest invoice can be a draft that waits for the one before it. */
async function findPayUrl(ctx: Context, subscription: string): Promise<string | null> {
  const { data } = await askStripe(ctx, (stripe) =>
    stripe.invoices.list({ subscription, status: 'open', limit: 1 }),
  )
  return data[0]?.hosted_invoice_url ?? null
}

import type { Updateable } from 'kysely'
import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import { heldOf, listOpenInvoices } from './open-invoices.ts'
import { statusOf } from './pick.ts'
import { findPlanHeld, findPlanSold, itemOf, soldAt } from './sold.ts'
import { isLive, isOwed } from './status.ts'
import type { SubscriptionRow } from './store.ts'
import { timeOf } from './stripe.ts'

type Values = Updateable<Tables['subscriptions']>

/** Maps the state at Stripe to the subscription row. */
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
    ...(await toPay(ctx, subscription)),
    seen_at: now,
  }
}

/** No subscription at Stripe: never subscribed, or the customer was deleted. */
const gone = (row: SubscriptionRow, now: Date): Values => ({
  seen_at: now,
  ...(row.subscription_id &&
    row.stripe_status !== 'canceled' && {
      stripe_status: 'canceled',
      cancel_at: now,
      past_due_since: null,
      ...nothingToPay,
    }),
})

function cancelAt(ctx: Context, subscription: Stripe.Subscription): Date | null {
  if (!isLive(statusOf(subscription))) return timeOf(subscription.ended_at ?? subscription.canceled_at)
  if (subscription.cancel_at) return timeOf(subscription.cancel_at)
  return subscription.cancel_at_period_end
    ? timeOf(itemOf(ctx.config, subscription)?.current_period_end)
    : null
}

type ToPay = Pick<SubscriptionRow, 'pay_url' | 'owed_amount' | 'held_plan_id' | 'held_url' | 'held_until'>

const nothingToPay: ToPay = {
  pay_url: null,
  owed_amount: null,
  held_plan_id: null,
  held_url: null,
  held_until: null,
}

/** The latest invoice may be a draft while the previous one is unpaid. */
async function toPay(ctx: Context, subscription: Stripe.Subscription): Promise<ToPay> {
  const owed = isOwed(statusOf(subscription))
  if (!owed && !subscription.pending_update) return nothingToPay
  const open = await listOpenInvoices(ctx, subscription.id)
  const held = heldOf(subscription, open)
  const due = owed ? open.find((one) => one !== held) : undefined
  return {
    pay_url: due?.hosted_invoice_url ?? null,
    owed_amount: due?.amount_remaining ?? null,
    held_plan_id: held ? (findPlanHeld(ctx.config, subscription)?.id ?? null) : null,
    held_url: held?.hosted_invoice_url ?? null,
    held_until: held ? timeOf(subscription.pending_update?.expires_at) : null,
  }
}

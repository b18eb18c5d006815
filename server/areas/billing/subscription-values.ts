import type { Updateable } from 'kysely'
import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import { listOpenInvoices, pendingChangeInvoice } from './pending-change.ts'
import { findPendingPlan, findSubscribedPlan, planItem, readSubscriptionPrice } from './subscribed-plan.ts'
import { isLiveSubscription, isPaymentOverdue } from '../workspaces/subscription-status.ts'
import { toStatus } from './stripe.ts'
import type { SubscriptionRow } from './store.ts'
import { fromStripeTime } from './stripe.ts'

type SubscriptionValues = Updateable<Tables['subscriptions']>

export async function toSubscriptionValues(
  ctx: Context,
  row: SubscriptionRow,
  subscription: Stripe.Subscription | undefined,
): Promise<SubscriptionValues> {
  const now = ctx.now()
  if (!subscription) return canceledValues(row, now)
  const plan_id = findSubscribedPlan(ctx.config, subscription)?.id ?? null
  const same = row.subscription_id === subscription.id
  const owed = isPaymentOverdue(toStatus(subscription))
  return {
    subscription_id: subscription.id,
    stripe_status: subscription.status,
    plan_id,
    plan_since: row.plan_id === plan_id && row.plan_since ? row.plan_since : now,
    ...(await readSubscriptionPrice(ctx, subscription)),
    period_ends_at: fromStripeTime(planItem(ctx.config, subscription)?.current_period_end),
    trial_ends_at: fromStripeTime(subscription.trial_end),
    cancel_at: cancelAt(ctx, subscription),
    past_due_since: owed ? (same && row.past_due_since) || now : null,
    ...(await findDuePayment(ctx, subscription)),
    seen_at: now,
  }
}

/**
 * Returns the values for a workspace without a subscription in Stripe: it never subscribed, or the customer was
 * deleted.
 */
const canceledValues = (row: SubscriptionRow, now: Date): SubscriptionValues => ({
  seen_at: now,
  ...(row.subscription_id &&
    row.stripe_status !== 'canceled' && {
      stripe_status: 'canceled',
      cancel_at: now,
      past_due_since: null,
      ...noDuePayment,
    }),
})

function cancelAt(ctx: Context, subscription: Stripe.Subscription): Date | null {
  if (!isLiveSubscription(toStatus(subscription)))
    return fromStripeTime(subscription.ended_at ?? subscription.canceled_at)
  if (subscription.cancel_at) return fromStripeTime(subscription.cancel_at)
  return subscription.cancel_at_period_end
    ? fromStripeTime(planItem(ctx.config, subscription)?.current_period_end)
    : null
}

type DuePayment = Pick<
  SubscriptionRow,
  'pay_url' | 'owed_amount' | 'held_plan_id' | 'held_url' | 'held_until'
>

const noDuePayment: DuePayment = {
  pay_url: null,
  owed_amount: null,
  held_plan_id: null,
  held_url: null,
  held_until: null,
}

/** Reads all open invoices, because the latest invoice may be a draft while the previous one is unpaid. */
async function findDuePayment(ctx: Context, subscription: Stripe.Subscription): Promise<DuePayment> {
  const owed = isPaymentOverdue(toStatus(subscription))
  if (!owed && !subscription.pending_update) return noDuePayment
  const open = await listOpenInvoices(ctx, subscription.id)
  const held = pendingChangeInvoice(subscription, open)
  const due = owed ? open.find((invoice) => invoice !== held) : undefined
  return {
    pay_url: due?.hosted_invoice_url ?? null,
    owed_amount: due?.amount_remaining ?? null,
    held_plan_id: held ? (findPendingPlan(ctx.config, subscription)?.id ?? null) : null,
    held_url: held?.hosted_invoice_url ?? null,
    held_until: held ? fromStripeTime(subscription.pending_update?.expires_at) : null,
  }
}

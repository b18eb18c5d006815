import type { Stripe } from 'stripe'
import type { ConfiguredPlan } from '../../billing-variables.ts'
import { isServiceUnavailable } from '../../call-service.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { findHeld, holdChange, isHeldFor, letGo, needsConfirming } from './held-change.ts'
import { findPrice, isSold } from './plans.ts'
import { noSubscription, otherCurrency, planUnavailable, samePlan } from './refusals.ts'
import { requestSync } from './request-sync.ts'
import { itemOf } from './sold.ts'
import type { SubscriptionRow } from './store.ts'
import { askStripe } from './stripe.ts'
import { sync, type Synced } from './sync.ts'

/** Parameters of a plan change at Stripe, also used for the preview. */
export interface Change {
  subscription: Stripe.Subscription
  item: { id: string; price: string }
  /** Charge immediately; otherwise the difference is added to the next invoice. */
  charged: boolean
  /** Amount of each later payment. */
  amount: number | null
}

interface Changed {
  /** Page to confirm the payment before the change applies. */
  url: string | null
  row: SubscriptionRow | undefined
}

/**
 * Changes the plan immediately. If the payment fails, nothing changes, not even a cancellation. Undefined if an earlier pending change was paid meanwhile, so that the caller must reload the subscription.
 */
export async function changePlan(
  ctx: Context,
  actor: Actor,
  found: Synced,
  plan: ConfiguredPlan,
): Promise<Changed | undefined> {
  const change = await changeTo(ctx, found, plan)
  const held = await findHeld(ctx, change.subscription)
  if (held?.hosted_invoice_url && isHeldFor(change)) return { url: held.hosted_invoice_url, row: found.row }
  if (held && !(await letGo(ctx, held))) return undefined
  const url = await make(ctx, found.row, change, plan)
  return { url, row: (await sync(ctx, found.row.workspace_id, actor))?.row }
}

/** Returns the confirmation page if the card requires it. */
async function make(
  ctx: Context,
  { workspace_id }: SubscriptionRow,
  change: Change,
  plan: ConfiguredPlan,
): Promise<string | null> {
  try {
    return (await isPaidAtOnce(ctx, change)) ? null : await holdChange(ctx, change)
  } catch (error) {
    // Stripe may have applied the change despite the error.
    if (isServiceUnavailable(error)) await requestSync(ctx, ctx.db, workspace_id)
    if (await isSold(ctx, error, plan)) throw error
    throw planUnavailable(plan)
  }
}

async function isPaidAtOnce(ctx: Context, { subscription, item, charged }: Change): Promise<boolean> {
  try {
    await askStripe(ctx, (stripe) =>
      stripe.subscriptions.update(subscription.id, {
        items: [item],
        proration_behavior: charged ? 'always_invoice' : 'create_prorations',
        payment_behavior: 'error_if_incomplete',
        ...notCancelled(subscription),
      }),
    )
    return true
  } catch (error) {
    if (needsConfirming(error)) return false
    throw error
  }
}

export async function changeTo(
  ctx: Context,
  { row, subscription }: Synced,
  plan: ConfiguredPlan,
): Promise<Change> {
  const item = subscription && itemOf(ctx.config, subscription)
  if (!item) throw noSubscription()
  if (row.plan_id === plan.id) throw samePlan(plan)
  const price = await findPrice(ctx, plan)
  if (!price) throw planUnavailable(plan)
  const each = price.amounts[subscription.currency]
  if (each === undefined) throw otherCurrency(plan, price.currency, subscription.currency)
  const amount = each === null ? null : each * (item.quantity ?? 1)
  const sameInterval = row.interval === price.interval && row.interval_count === price.interval_count
  const dearer = (amount ?? Infinity) > (row.amount ?? 0)
  return {
    subscription,
    item: { id: item.id, price: plan.price },
    // A different interval starts a new period with its own payment; during a trial nothing is due yet.
    charged: subscription.status !== 'trialing' && (dearer || !sameInterval),
    amount,
  }
}

type NotCancelled = { cancel_at_period_end?: false } | { cancel_at: '' }

/** Stripe accepts only one of the two parameters. */
export function notCancelled(subscription: Stripe.Subscription): NotCancelled {
  if (subscription.cancel_at_period_end) return { cancel_at_period_end: false }
  return subscription.cancel_at ? { cancel_at: '' } : {}
}

import type { Stripe } from 'stripe'
import type { ConfiguredPlan } from '../../config-values.ts'
import { isServiceUnavailable } from '../../call-service.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import {
  createPendingChange,
  findPendingInvoice,
  isAlreadyPending,
  requiresConfirmation,
  voidInvoice,
} from './pending-change.ts'
import { findPrice, getPlan, isStillSold } from './plans.ts'
import {
  alreadyOnPlan,
  noSubscription,
  otherCurrency,
  paymentDue,
  planUnavailable,
} from './billing-errors.ts'
import { requestBillingSync, type SubscriptionRow } from './store.ts'
import { planItem } from './subscribed-plan.ts'
import { assertBillingOn, callStripe, fromStripeTime } from './stripe.ts'
import { syncBilling, type SyncedSubscription } from './sync-billing.ts'
import { isPaidSubscription, isPaymentOverdue } from '../workspaces/subscription-status.ts'
import { stripeInitiator } from './stripe.ts'
import { withBillingMutex } from './billing-mutex.ts'

export interface PlanChange {
  subscription: Stripe.Subscription
  item: { id: string; price: string }
  /** True if Stripe charges immediately; otherwise the difference is added to the next invoice. */
  charged: boolean
  amount: number | null
}

interface PlanChangeResult {
  /** Page to confirm the payment before the change applies. */
  url: string | null
  row: SubscriptionRow | undefined
}

/**
 * If the payment fails, nothing changes. Returns undefined if an earlier change was paid meanwhile: reload the
 * subscription.
 */
export async function changePlan(
  ctx: Context,
  actor: Actor,
  found: SyncedSubscription,
  plan: ConfiguredPlan,
): Promise<PlanChangeResult | undefined> {
  const change = await preparePlanChange(ctx, found, plan)
  const held = await findPendingInvoice(ctx, change.subscription)
  if (held?.hosted_invoice_url && isAlreadyPending(change))
    return { url: held.hosted_invoice_url, row: found.row }
  if (held && !(await voidInvoice(ctx, held))) return undefined
  const url = await submitChange(ctx, found.row, change, plan)
  return { url, row: (await syncBilling(ctx, found.row.workspace_id, actor))?.row }
}

async function submitChange(
  ctx: Context,
  { workspace_id }: SubscriptionRow,
  change: PlanChange,
  plan: ConfiguredPlan,
): Promise<string | null> {
  try {
    return (await chargesImmediately(ctx, change)) ? null : await createPendingChange(ctx, change)
  } catch (error) {
    // Stripe may have applied the change despite the error.
    if (isServiceUnavailable(error)) await requestBillingSync(ctx, ctx.db, workspace_id)
    if (await isStillSold(ctx, error, plan)) throw error
    throw planUnavailable(plan)
  }
}

async function chargesImmediately(
  ctx: Context,
  { subscription, item, charged }: PlanChange,
): Promise<boolean> {
  try {
    await callStripe(ctx, (stripe) =>
      stripe.subscriptions.update(subscription.id, {
        items: [item],
        proration_behavior: charged ? 'always_invoice' : 'create_prorations',
        payment_behavior: 'error_if_incomplete',
        ...resumeParams(subscription),
      }),
    )
    return true
  } catch (error) {
    if (requiresConfirmation(error)) return false
    throw error
  }
}

export async function preparePlanChange(
  ctx: Context,
  { row, subscription }: SyncedSubscription,
  plan: ConfiguredPlan,
): Promise<PlanChange> {
  const item = subscription && planItem(ctx.config, subscription)
  if (!item) throw noSubscription()
  if (row.plan_id === plan.id) throw alreadyOnPlan(plan)
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

type ResumeParams = { cancel_at_period_end?: false } | { cancel_at: '' }

/** Stripe accepts only one of the two parameters. */
export function resumeParams(subscription: Stripe.Subscription): ResumeParams {
  if (subscription.cancel_at_period_end) return { cancel_at_period_end: false }
  return subscription.cancel_at ? { cancel_at: '' } : {}
}

export async function previewPlanChange(ctx: Context, actor: Actor, planId: string) {
  assertBillingOn(ctx)
  const plan = getPlan(ctx, planId)
  const synced = await withBillingMutex(ctx, actor.workspace.id, () =>
    syncBilling(ctx, actor.workspace.id, stripeInitiator),
  )
  if (synced && isPaymentOverdue(synced.row) && synced.row.pay_url) throw paymentDue(synced.row.pay_url)
  if (!synced || !isPaidSubscription(synced.row)) throw noSubscription()
  const change = await preparePlanChange(ctx, synced, plan)
  const invoice = await createInvoicePreview(ctx, change)
  const lines = await listLines(ctx, invoice)
  const prorated = lines.filter(isProrated).reduce((sum, { amount }) => sum + amount, 0)
  // The remaining credit applies to later payments.
  const credit = change.charged ? -invoice.total : -prorated
  const periodEnds = synced.row.period_ends_at ?? ctx.now()
  return {
    change: {
      plan_id: plan.id,
      currency: invoice.currency,
      due_now: change.charged ? Math.max(0, invoice.amount_due) : 0,
      credit: Math.max(0, credit),
      next_amount: change.amount ?? 0,
      next_at: (change.charged ? (lastPeriodEnd(lines) ?? periodEnds) : periodEnds).toISOString(),
    },
  }
}

const createInvoicePreview = (ctx: Context, { subscription, item, charged }: PlanChange) =>
  callStripe(ctx, (stripe) =>
    stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: [item],
        proration_behavior: charged ? 'always_invoice' : 'create_prorations',
        ...resumeParams(subscription),
      },
    }),
  )

/** Loads further lines, because an invoice includes only the first ones. */
const listLines = (ctx: Context, { id, lines }: Stripe.Invoice) =>
  lines.has_more
    ? callStripe(ctx, (stripe) =>
        stripe.invoices.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 1_000 }),
      )
    : lines.data

const isProrated = ({ parent }: Stripe.InvoiceLineItem) =>
  parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false

/** Returns the end of the last paid period, ignoring prorations. */
function lastPeriodEnd(lines: Stripe.InvoiceLineItem[]) {
  const ends = lines.filter(({ amount }) => amount >= 0).map(({ period }) => period.end)
  return ends.length > 0 ? fromStripeTime(Math.max(...ends)) : null
}

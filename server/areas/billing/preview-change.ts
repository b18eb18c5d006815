import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { type PlanChange, preparePlanChange, resumeParams } from './change-plan.ts'
import { getPlan } from './plans.ts'
import { noSubscription, paymentDue } from './billing-errors.ts'
import { stripeInitiator, isPaymentOverdue, isPaidSubscription } from './subscription-status.ts'
import { callStripe, assertBillingOn, fromStripeTime } from './stripe.ts'
import { syncBilling } from './sync-billing.ts'
import { withBillingLock } from './billing-lock.ts'

/** Previews the cost of a plan change with Stripe. */
export async function previewPlanChange(ctx: Context, actor: Actor, planId: string) {
  assertBillingOn(ctx)
  const plan = getPlan(ctx, planId)
  const found = await withBillingLock(ctx, actor.workspace.id, () =>
    syncBilling(ctx, actor.workspace.id, stripeInitiator),
  )
  if (found && isPaymentOverdue(found.row) && found.row.pay_url) throw paymentDue(found.row.pay_url)
  if (!found || !isPaidSubscription(found.row)) throw noSubscription()
  const change = await preparePlanChange(ctx, found, plan)
  const invoice = await createInvoicePreview(ctx, change)
  const lines = await listLines(ctx, invoice)
  const prorated = lines.filter(isProrated).reduce((sum, { amount }) => sum + amount, 0)
  // The remaining credit applies to later payments.
  const credit = change.charged ? -invoice.total : -prorated
  const periodEnds = found.row.period_ends_at ?? ctx.now()
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

/** The invoice includes only the first lines. */
const listLines = (ctx: Context, { id, lines }: Stripe.Invoice) =>
  lines.has_more
    ? callStripe(ctx, (stripe) =>
        stripe.invoices.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 1_000 }),
      )
    : lines.data

const isProrated = ({ parent }: Stripe.InvoiceLineItem) =>
  parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false

/** End of the last paid period, ignoring prorations. */
function lastPeriodEnd(lines: Stripe.InvoiceLineItem[]) {
  const ends = lines.filter(({ amount }) => amount >= 0).map(({ period }) => period.end)
  return ends.length > 0 ? fromStripeTime(Math.max(...ends)) : null
}

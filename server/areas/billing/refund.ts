import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import { StripeRequestFailed } from './stripe-errors.ts'
import { callStripe, stripeId } from './stripe.ts'

type RefundReason = 'duplicate' | 'requested_by_customer'

export type RefundResult = 'money' | 'credit' | 'nothing'

/**
 * Refunds the payments of a subscription since then and returns how they were paid. Idempotent; partial failures do not stop other refunds.
 */
export async function refundPayments(
  ctx: Context,
  subscription: string,
  reason: RefundReason,
  since: Date,
): Promise<RefundResult> {
  const paid = await callStripe(ctx, (stripe) =>
    stripe.invoices.list({ subscription, status: 'paid', limit: 100 }).autoPagingToArray({ limit: 1_000 }),
  )
  const invoices = paid.filter((one) => isPaidSince(one, since))
  const payments: string[] = []
  for (const { id, amount_paid } of invoices)
    if (id && amount_paid > 0) payments.push(...(await listPayments(ctx, id)))
  const refusals: StripeRequestFailed[] = []
  for (const payment of payments) refusals.push(...(await refundOnce(ctx, payment, reason)))
  const credits = invoices.filter((invoice) => usedCredit(invoice) > 0)
  for (const invoice of credits) logCredit(ctx, subscription, invoice)
  if (refusals[0]) throw refusals[0]
  return payments.length > 0 ? 'money' : credits.length > 0 ? 'credit' : 'nothing'
}

const isPaidSince = ({ status_transitions, created }: Stripe.Invoice, since: Date) =>
  (status_transitions.paid_at ?? created) * 1_000 >= since.getTime()

async function listPayments(ctx: Context, invoice: string): Promise<string[]> {
  const { data } = await callStripe(ctx, (stripe) =>
    stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 }),
  )
  return data.flatMap(({ payment }) => stripeId(payment.payment_intent) ?? [])
}

/** Already refunded manually or disputed. */
const isSettled = ({ stripeCode: said }: StripeRequestFailed) =>
  said === 'charge_already_refunded' || said === 'charge_disputed'

async function refundOnce(
  ctx: Context,
  payment_intent: string,
  reason: RefundReason,
): Promise<StripeRequestFailed[]> {
  try {
    await callStripe(ctx, (stripe) => stripe.refunds.create({ payment_intent, reason }))
    return []
  } catch (error) {
    if (!(error instanceof StripeRequestFailed)) throw error
    return isSettled(error) ? [] : [error]
  }
}

/** Customer balance cannot be restored idempotently, so the operator must do it. */
function logCredit(ctx: Context, subscription: string, invoice: Stripe.Invoice): void {
  ctx.log.error(
    { subscription, invoice: invoice.id, credit: usedCredit(invoice), currency: invoice.currency },
    'A refunded subscription was paid with credit. Adjust the customer balance at Stripe.',
  )
}

const usedCredit = ({ ending_balance, starting_balance }: Stripe.Invoice) =>
  Math.max(0, (ending_balance ?? 0) - starting_balance)

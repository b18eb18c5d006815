import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import type { PlanChange } from './change-plan.ts'
import { StripeRequestFailed } from './stripe-errors.ts'
import { callStripe, stripeId } from './stripe.ts'

/** Returns whether a payment failed because it requires confirmation (3-D Secure). */
export const requiresConfirmation = (error: unknown): boolean =>
  error instanceof StripeRequestFailed &&
  /requires_action$|^authentication_required$/.test(error.stripeCode ?? '')

/**
 * Stripe applies the change once its payment is confirmed, within a day. Returns null if it was paid without
 * confirmation.
 */
export async function createPendingChange(
  ctx: Context,
  { subscription, item }: PlanChange,
): Promise<string | null> {
  const after = await callStripe(ctx, (stripe) =>
    stripe.subscriptions.update(subscription.id, {
      items: [item],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      // A pending update can only include `cancel_at_period_end`; a custom cancellation date stays.
      ...(subscription.cancel_at_period_end && { cancel_at_period_end: false }),
    }),
  )
  return (await findPendingInvoice(ctx, after))?.hosted_invoice_url ?? null
}

export const findPendingInvoice = async (ctx: Context, subscription: Stripe.Subscription) =>
  subscription.pending_update
    ? pendingChangeInvoice(subscription, await listOpenInvoices(ctx, subscription.id))
    : undefined

export const isAlreadyPending = ({ subscription, item }: PlanChange): boolean =>
  subscription.pending_update?.subscription_items?.some(({ price }) => stripeId(price) === item.price) ??
  false

/** Voids the invoice of a pending change. Returns false if it was paid already. */
export async function voidInvoice(ctx: Context, { id }: Stripe.Invoice): Promise<boolean> {
  try {
    await callStripe(ctx, (stripe) => stripe.invoices.voidInvoice(id))
    return true
  } catch (error) {
    if (!(error instanceof StripeRequestFailed)) throw error
    const { status } = await callStripe(ctx, (stripe) => stripe.invoices.retrieve(id))
    if (status === 'open') throw error
    return status !== 'paid'
  }
}

/** Lists open invoices of a subscription, latest first: overdue ones and those of pending changes. */
export const listOpenInvoices = async (ctx: Context, subscription: string): Promise<Stripe.Invoice[]> => {
  const { data } = await callStripe(ctx, (stripe) =>
    stripe.invoices.list({ subscription, status: 'open', limit: 100 }),
  )
  return data
}

export const pendingChangeInvoice = (
  { pending_update }: Stripe.Subscription,
  open: readonly Stripe.Invoice[],
): Stripe.Invoice | undefined =>
  pending_update ? open.find(({ billing_reason }) => billing_reason === 'subscription_update') : undefined

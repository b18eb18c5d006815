import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import type { Change } from './change-plan.ts'
import { heldOf, listOpenInvoices } from './open-invoices.ts'
import { StripeRefused } from './stripe-errors.ts'
import { askStripe, idOf } from './stripe.ts'

/** Returns whether a payment failed because it requires confirmation (3-D Secure). */
export const needsConfirming = (error: unknown): boolean =>
  error instanceof StripeRefused && /requires_action$|^authentication_required$/.test(error.said ?? '')

/**
 * Creates a pending update at Stripe, applied once its payment is confirmed and expired within a day otherwise. Returns the confirmation page; null if it was paid after all.
 */
export async function holdChange(ctx: Context, { subscription, item }: Change): Promise<string | null> {
  const after = await askStripe(ctx, (stripe) =>
    stripe.subscriptions.update(subscription.id, {
      items: [item],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      // A pending update can only include `cancel_at_period_end`; a custom cancellation date stays.
      ...(subscription.cancel_at_period_end && { cancel_at_period_end: false }),
    }),
  )
  return (await findHeld(ctx, after))?.hosted_invoice_url ?? null
}

/** Returns the invoice of the pending change. */
export const findHeld = async (ctx: Context, subscription: Stripe.Subscription) =>
  subscription.pending_update ? heldOf(subscription, await listOpenInvoices(ctx, subscription.id)) : undefined

/** Returns whether this change is already pending. */
export const isHeldFor = ({ subscription, item }: Change): boolean =>
  subscription.pending_update?.subscription_items?.some(({ price }) => idOf(price) === item.price) ?? false

/** Voids the invoice of a pending change. Returns false if it was paid already. */
export async function letGo(ctx: Context, { id }: Stripe.Invoice): Promise<boolean> {
  try {
    await askStripe(ctx, (stripe) => stripe.invoices.voidInvoice(id))
    return true
  } catch (error) {
    if (!(error instanceof StripeRefused)) throw error
    const { status } = await askStripe(ctx, (stripe) => stripe.invoices.retrieve(id))
    if (status === 'open') throw error
    return status !== 'paid'
  }
}

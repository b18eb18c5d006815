import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import type { Change } from './change-plan.ts'
import { heldOf, listOpenInvoices } from './open-invoices.ts'
import { StripeRefused } from './stripe-errors.ts'
import { askStripe, idOf } from './stripe.ts'

/** Whether a payment failed only because whoever has the card has to confirm it, as banks in Europe ask for. */
export const needsConfirming = (error: unknown): boolean =>
  error instanceof StripeRefused && /requires_action$|^authentication_required$/.test(error.said ?? '')

/**
 * Has Stripe make the change as soon as its payment is confirmed; without that it lets go of it within a day. Comes back with
 * where to confirm it; null where it was paid after all.
 */
export async function holdChange(ctx: Context, { subscription, item }: Change): Promise<string | null> {
  const after = await askStripe(ctx, (stripe) =>
    stripe.subscriptions.update(subscription.id, {
      items: [item],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      // Nothing else of a cancellation can be held: one to a named time stays until it is taken back.
      ...(subscription.cancel_at_period_end && { cancel_at_period_end: false }),
    }),
  )
  return (await findHeld(ctx, after))?.hosted_invoice_url ?? null
}

/** The invoice that a change waits for. */
export const findHeld = async (ctx: Context, subscription: Stripe.Subscription) =>
  subscription.pending_update ? heldOf(subscription, await listOpenInvoices(ctx, subscription.id)) : undefined

/** Whether it is this change that waits already. */
export const isHeldFor = ({ subscription, item }: Change): boolean =>
  subscription.pending_update?.subscription_items?.some(({ price }) => idOf(price) === item.price) ?? false

/** Whether nobody can pay for it any more; false where somebody has. */
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

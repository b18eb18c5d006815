import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import { askStripe } from './stripe.ts'

/** What somebody still can pay of a subscription, the latest first: what is owed, and what a change waits for. */
export const listOpenInvoices = async (ctx: Context, subscription: string): Promise<Stripe.Invoice[]> => {
  const { data } = await askStripe(ctx, (stripe) =>
    stripe.invoices.list({ subscription, status: 'open', limit: 100 }),
  )
  return data
}

/** The one of them that a change waits for. */
export const heldOf = (
  { pending_update }: Stripe.Subscription,
  open: readonly Stripe.Invoice[],
): Stripe.Invoice | undefined =>
  pending_update ? open.find(({ billing_reason }) => billing_reason === 'subscription_update') : undefined

import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import { callStripe } from './stripe.ts'

/** Open invoices of a subscription, latest first: overdue ones and those of pending changes. */
export const listOpenInvoices = async (ctx: Context, subscription: string): Promise<Stripe.Invoice[]> => {
  const { data } = await callStripe(ctx, (stripe) =>
    stripe.invoices.list({ subscription, status: 'open', limit: 100 }),
  )
  return data
}

/** Returns the invoice of the pending change. */
export const pendingChangeInvoice = (
  { pending_update }: Stripe.Subscription,
  open: readonly Stripe.Invoice[],
): Stripe.Invoice | undefined =>
  pending_update ? open.find(({ billing_reason }) => billing_reason === 'subscription_update') : undefined

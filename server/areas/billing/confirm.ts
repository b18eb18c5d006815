import type { Stripe } from 'stripe'
import type { confirmSubscription as contract } from '../../../contract/billing.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { findSubscription } from './store.ts'
import { isMissingAtStripe } from './stripe-errors.ts'
import { callStripe, stripeId, assertBillingOn } from './stripe.ts'
import { presentSubscription } from './subscription.ts'
import { syncBilling } from './sync-billing.ts'
import { withBillingLock } from './billing-lock.ts'

type CheckoutState = Reply<typeof contract>['state']

/** Fetches the checkout result from Stripe when the user returns. */
export async function confirmSubscription(ctx: Context, actor: Actor, sessionId: string) {
  assertBillingOn(ctx)
  const { id: workspaceId } = actor.workspace
  const row = await findSubscription(ctx.db, workspaceId)
  const session = row && (await findSession(ctx, sessionId))
  if (!session || stripeId(session.customer) !== row.customer_id) throw notFound('This payment')
  const found = await withBillingLock(ctx, workspaceId, () => syncBilling(ctx, workspaceId, actor))
  return {
    state: toCheckoutState(session),
    subscription: found ? await presentSubscription(ctx, found.row) : null,
  }
}

async function findSession(ctx: Context, id: string): Promise<Stripe.Checkout.Session | undefined> {
  // Prevents path injection into the Stripe URL.
  if (!/^cs_\w+$/.test(id)) return undefined
  try {
    return await callStripe(ctx, (stripe) => stripe.checkout.sessions.retrieve(id))
  } catch (error) {
    if (isMissingAtStripe(error)) return undefined
    throw error
  }
}

function toCheckoutState({ status, payment_status }: Stripe.Checkout.Session): CheckoutState {
  if (status === 'open') return 'open'
  if (status === 'expired') return 'expired'
  return payment_status === 'unpaid' ? 'processing' : 'paid'
}

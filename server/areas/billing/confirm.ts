import type { Stripe } from 'stripe'
import type { confirmSubscription as contract } from '../../../contract/billing.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { findSubscription } from './store.ts'
import { isMissing } from './stripe-errors.ts'
import { askStripe, idOf, mustBeOn } from './stripe.ts'
import { presentSubscription } from './subscription.ts'
import { sync } from './sync.ts'
import { underBillingLock } from './under-lock.ts'

type State = Reply<typeof contract>['state']

/** Fetches the checkout result from Stripe when the user returns. */
export async function confirmSubscription(ctx: Context, actor: Actor, sessionId: string) {
  mustBeOn(ctx)
  const { id: workspaceId } = actor.workspace
  const row = await findSubscription(ctx.db, workspaceId)
  const session = row && (await findSession(ctx, sessionId))
  if (!session || idOf(session.customer) !== row.customer_id) throw notFound('This payment')
  const found = await underBillingLock(ctx, workspaceId, () => sync(ctx, workspaceId, actor))
  return { state: stateOf(session), subscription: found ? await presentSubscription(ctx, found.row) : null }
}

async function findSession(ctx: Context, id: string): Promise<Stripe.Checkout.Session | undefined> {
  // Prevents path injection into the Stripe URL.
  if (!/^cs_\w+$/.test(id)) return undefined
  try {
    return await askStripe(ctx, (stripe) => stripe.checkout.sessions.retrieve(id))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function stateOf({ status, payment_status }: Stripe.Checkout.Session): State {
  if (status === 'open') return 'open'
  if (status === 'expired') return 'expired'
  return payment_status === 'unpaid' ? 'processing' : 'paid'
}

import type { Context } from '../../context.ts'
import { expireCheckout, listOpenCheckouts } from './checkout.ts'
import { listSubscriptions } from './customer.ts'
import { endSubscriptionNow } from './duplicate-subscriptions.ts'
import { isLiveSubscription } from '../workspaces/subscription-status.ts'
import { toStatus } from './stripe.ts'
import { findDepartedCustomer, markDepartedCustomerEnded } from './store.ts'

/** Milliseconds to wait for the right key before Slipway gives up on an unknown customer. */
const unknownCustomerGraceMs = 90 * 86_400_000

export async function endSubscriptionsOfDeletedWorkspace(ctx: Context, customer: string): Promise<void> {
  const departed = await findDepartedCustomer(ctx.db, customer)
  if (!departed) return
  const failures: unknown[] = []
  // If Stripe refuses to cancel a subscription, the others must still be canceled.
  const attempt = (work: Promise<unknown>) => work.catch((error: unknown) => failures.push(error))
  for (const checkout of await listOpenCheckouts(ctx, customer)) await attempt(expireCheckout(ctx, checkout))
  const all = await listSubscriptions(ctx, customer)
  if (!all && ctx.now().getTime() - departed.left_at.getTime() < unknownCustomerGraceMs) {
    ctx.log.warn(
      { customer },
      'Failed to end the subscription of a deleted workspace: Stripe does not know the customer',
    )
    return
  }
  for (const subscription of all ?? []) {
    if (!isLiveSubscription(toStatus(subscription))) continue
    const { id, created } = subscription
    // Report the payment before the subscription ends, because a retry after a crash skips ended subscriptions.
    if (created * 1_000 > departed.left_at.getTime())
      ctx.log.error(
        { customer, subscription: id },
        'Received a payment for a deleted workspace: refund it in Stripe',
      )
    await attempt(
      endSubscriptionNow(ctx, id).then(() =>
        ctx.log.info({ customer, subscription: id }, 'Ended the subscription of a deleted workspace'),
      ),
    )
  }
  if (failures.length > 0) throw failures[0]
  await markDepartedCustomerEnded(ctx.db, customer)
}

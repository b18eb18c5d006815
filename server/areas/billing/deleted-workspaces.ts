import type { Context } from '../../context.ts'
import { expireCheckout, listOpenCheckouts } from './checkout.ts'
import { listSubscriptions } from './customer.ts'
import { endSubscriptionNow } from './duplicate-subscriptions.ts'
import { isLiveSubscription } from '../workspaces/subscription-status.ts'
import { toStatus } from './stripe.ts'
import { findDepartedCustomer, markDepartedCustomerEnded } from './store.ts'

/** How long to wait for the right key before an unknown customer is given up, in milliseconds. */
const unknownCustomerGraceMs = 90 * 86_400_000

export async function endSubscriptionsOfDeletedWorkspace(ctx: Context, customer: string): Promise<void> {
  const departed = await findDepartedCustomer(ctx.db, customer)
  if (!departed) return
  const failures: unknown[] = []
  // A subscription that Stripe refuses to cancel must not keep the others alive.
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
    // Reported before the subscription ends, because an ended one is skipped after a crash.
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

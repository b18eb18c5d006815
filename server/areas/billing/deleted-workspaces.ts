import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import { expireCheckout, listOpenCheckouts } from './checkout.ts'
import { listSubscriptions } from './customer.ts'
import { recordOwedRefund } from './duplicate-subscriptions.ts'
import { endSubscriptionNow } from './end-subscription-now.ts'
import { pickSubscription, toStatus } from './pick-subscription.ts'
import { refundPayments } from './refund.ts'
import { isLiveSubscription } from './subscription-status.ts'
import { findDepartedCustomer, markDepartedCustomerEnded } from './store.ts'
import { isMissingAtStripe, StripeRequestFailed } from './stripe-errors.ts'
import { fromStripeTime } from './stripe.ts'

/** How long to wait for the right key before an unknown customer is given up, in milliseconds. */
const unknownCustomerGraceMs = 90 * 86_400_000

/**
 * Ends all subscriptions of customers whose workspace was deleted. Payments made after the deletion, at a checkout that was still open, are refunded. Failures are retried the next day.
 */
export async function endSubscriptionsOfDeletedWorkspace(ctx: Context, customer: string): Promise<void> {
  const departed = await findDepartedCustomer(ctx.db, customer)
  if (!departed) return
  const { left_at } = departed
  const failures: unknown[] = []
  const each = (work: () => Promise<unknown>) => work().catch((error: unknown) => failures.push(error))

  for (const page of await listCheckouts(ctx, customer)) await each(() => expireCheckout(ctx, page))
  const all = await listSubscriptions(ctx, customer)
  if (!all && ctx.now().getTime() - left_at.getTime() < unknownCustomerGraceMs) {
    ctx.log.warn(
      { customer },
      'Unknown Stripe customer: the subscription of a deleted workspace cannot be ended',
    )
    return
  }
  await recordDuplicateRefunds(ctx, all ?? [])
  for (const one of all ?? [])
    if (isLiveSubscription(toStatus(one)))
      await each(async () => {
        await endSubscriptionNow(ctx, one.id)
        ctx.log.info({ customer, subscription: one.id }, 'Ended the subscription of a deleted workspace')
      })
  for (const one of all ?? []) {
    const ended = fromStripeTime(one.ended_at)
    if (!ended || ended >= left_at)
      await each(() => refundPayments(ctx, one.id, 'requested_by_customer', left_at))
  }
  if (failures.length === 0) await markDepartedCustomerEnded(ctx.db, customer)
  else reportFailures(ctx, customer, failures)
}

/** A duplicate subscription is refunded by the daily job, also after the workspace was deleted. */
async function recordDuplicateRefunds(ctx: Context, all: Stripe.Subscription[]): Promise<void> {
  const workspace = all.find(({ metadata }) => metadata['workspace_id'])?.metadata['workspace_id']
  const { subscription: kept, duplicates } = pickSubscription(ctx.config, workspace ?? '', all)
  if (kept) for (const one of duplicates) await recordOwedRefund(ctx, null, kept, one)
}

/** A rejection by Stripe is permanent for now; other errors are retried by the caller. */
function reportFailures(ctx: Context, customer: string, failures: unknown[]): void {
  for (const failure of failures) if (!(failure instanceof StripeRequestFailed)) throw failure
  ctx.log.error(
    { customer, why: failures.map(String) },
    'Stripe rejected a cancellation or refund. It is retried daily; check it at Stripe.',
  )
}

async function listCheckouts(ctx: Context, customer: string) {
  try {
    return await listOpenCheckouts(ctx, customer)
  } catch (error) {
    if (isMissingAtStripe(error)) return []
    throw error
  }
}

import type { Context } from '../../context.ts'
import { isLiveSubscription } from './subscription-status.ts'
import { toStatus } from './pick-subscription.ts'
import { isMissingAtStripe, StripeRequestFailed } from './stripe-errors.ts'
import { callStripe } from './stripe.ts'

/** Ends a subscription immediately; ignores one that has already ended. */
export async function endSubscriptionNow(ctx: Context, subscription: string): Promise<void> {
  try {
    await callStripe(ctx, (stripe) => stripe.subscriptions.cancel(subscription))
  } catch (error) {
    if (isMissingAtStripe(error)) return
    if (!(error instanceof StripeRequestFailed)) throw error
    const found = await callStripe(ctx, (stripe) => stripe.subscriptions.retrieve(subscription))
    if (isLiveSubscription(toStatus(found))) throw error
  }
}

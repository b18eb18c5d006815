import type { Context } from '../../context.ts'
import { isLive } from './status.ts'
import { statusOf } from './pick.ts'
import { isMissing, StripeRefused } from './stripe-errors.ts'
import { askStripe } from './stripe.ts'

/** Ends a subscription immediately; ignores one that has already ended. */
export async function endAtOnce(ctx: Context, subscription: string): Promise<void> {
  try {
    await askStripe(ctx, (stripe) => stripe.subscriptions.cancel(subscription))
  } catch (error) {
    if (isMissing(error)) return
    if (!(error instanceof StripeRefused)) throw error
    const found = await askStripe(ctx, (stripe) => stripe.subscriptions.retrieve(subscription))
    if (isLive(statusOf(found))) throw error
  }
}

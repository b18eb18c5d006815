import type { Context } from '../../context.ts'
import { isUnanswered, StripeRefused } from './stripe-errors.ts'

/** Stops after this many consecutive failures to reach Stripe. */
const patience = 3

type Work = () => Promise<unknown>

/**
 * Runs `work` for each customer. A failure for one customer does not stop the others and is retried with `again`; an unreachable Stripe or a rejected key stops the run.
 */
export function oneByOne(ctx: Context, signal: AbortSignal) {
  let unanswered = 0
  return async (of: object, work: Work, again?: Work): Promise<void> => {
    signal.throwIfAborted()
    try {
      await work()
      unanswered = 0
    } catch (error) {
      signal.throwIfAborted()
      const why = String(error)
      ctx.log.error({ ...of, why }, 'Failed to reconcile a subscription with Stripe')
      unanswered = isUnanswered(error) ? unanswered + 1 : 0
      if (unanswered >= patience || isOfKey(error)) {
        ctx.log.error({ why }, 'Stripe is unreachable: reconciliation stopped')
        throw error
      }
      if (unanswered > 0) await again?.()
    }
  }
}

const isOfKey = (error: unknown) => error instanceof StripeRefused && error.ofKey

import type { Context } from '../../context.ts'
import { isStripeUnreachable, StripeRequestFailed } from './stripe-errors.ts'

/** Stops after this many consecutive failures to reach Stripe. */
const maxConsecutiveFailures = 3

type ReconcileTask = () => Promise<unknown>

/**
 * Runs `work` for each customer. A failure for one customer does not stop the others and is retried with `again`; an unreachable Stripe or a rejected key stops the run.
 */
export function createReconcileRunner(ctx: Context, signal: AbortSignal) {
  let unanswered = 0
  return async (of: object, work: ReconcileTask, again?: ReconcileTask): Promise<void> => {
    signal.throwIfAborted()
    try {
      await work()
      unanswered = 0
    } catch (error) {
      signal.throwIfAborted()
      const why = String(error)
      ctx.log.error({ ...of, why }, 'Failed to reconcile a subscription with Stripe')
      unanswered = isStripeUnreachable(error) ? unanswered + 1 : 0
      if (unanswered >= maxConsecutiveFailures || isKeyRejected(error)) {
        ctx.log.error({ why }, 'Stripe is unreachable: reconciliation stopped')
        throw error
      }
      if (unanswered > 0) await again?.()
    }
  }
}

const isKeyRejected = (error: unknown) => error instanceof StripeRequestFailed && error.isKeyRejected

import type { Context } from '../../context.ts'
import { isUnanswered, StripeRefused } from './stripe-errors.ts'

/** For so many in a row there was no answer: nor is there one for the next. */
const patience = 3

type Work = () => Promise<unknown>

/**
 * For looking at everybody. One whose state makes no sense, or for whom Stripe fails, keeps nobody else from being looked at;
 * `again` then has it looked at once more. Stripe being away does, and a key that it does not take.
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
      ctx.log.error({ ...of, why }, 'What somebody pays for could not be reconciled with Stripe.')
      unanswered = isUnanswered(error) ? unanswered + 1 : 0
      if (unanswered >= patience || isOfKey(error)) {
        ctx.log.error({ why }, 'Stripe answers nothing, so that nobody else is looked at for now.')
        throw error
      }
      if (unanswered > 0) await again?.()
    }
  }
}

const isOfKey = (error: unknown) => error instanceof StripeRefused && error.ofKey

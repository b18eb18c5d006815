import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import { Problem, tooManyRequests } from '../../errors.ts'

const window = 60_000
/** Allowed failures per minute and address. */
const free = 30

/** Failed calls by address, counted from the first one. */
export const createFailedCallCache = () =>
  new LRUCache<string, { wrong: number }>({ max: 10_000, ttl: window })

/**
 * One response for wrong signatures, wrong secrets and unknown hooks. Only failures are throttled, so that valid calls from a shared address still pass.
 */
export function rejectWebhook({ failedHookCalls: counts }: Context, address: string): Problem {
  const count = counts.get(address) ?? { wrong: 0 }
  count.wrong++
  if (count.wrong === 1) counts.set(address, count)
  return count.wrong > free
    ? tooManyRequests(Math.ceil(counts.getRemainingTTL(address) / 1_000))
    : wrongSecret()
}

const wrongSecret = () =>
  new Problem(
    401,
    'wrong_secret',
    'Unknown hook, or wrong signature or secret. Check the URL and secret in the settings of the application, the GitHub App or the Stripe webhook.',
  )

import type { Context } from '../../context.ts'
import { Problem, tooMany } from '../../errors.ts'

const window = 60_000
/** Allowed failures per minute and address. */
const free = 30
/** Maximum number of tracked addresses. */
const most = 10_000

/**
 * One response for wrong signatures, wrong secrets and unknown hooks. Only failures are throttled, so that valid calls from a shared address still pass.
 */
export function refuse({ failedHookCalls: counts }: Context, address: string): Problem {
  const now = Date.now()
  const found = counts.get(address)
  const count = found && found.until > now ? found : { wrong: 0, until: now + window }
  count.wrong++
  counts.delete(address)
  counts.set(address, count)
  for (const oldest of counts.keys()) if (counts.size > most) counts.delete(oldest)
  return count.wrong > free ? tooMany(Math.ceil((count.until - now) / 1_000)) : wrongSecret()
}

const wrongSecret = () =>
  new Problem(
    401,
    'wrong_secret',
    'Unknown hook, or wrong signature or secret. Check the URL and secret in the settings of the application, the GitHub App or the Stripe webhook.',
  )

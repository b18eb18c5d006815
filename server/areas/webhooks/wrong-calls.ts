import { Problem, tooMany } from '../../errors.ts'

const window = 60_000
/** So many a minute may be wrong before an address is told to wait. */
const free = 30
/** Of so many addresses the count is kept; the oldest goes first. */
const most = 10_000

const counts = new Map<string, { wrong: number; until: number }>()

/**
 * One answer for a wrong signature, a wrong secret and a hook that there is not. Only what is wrong is ever held up: who
 * shares an address with somebody who guesses, such as that of a proxy, still comes through with what is right.
 */
export function refuse(address: string, now = Date.now()): Problem {
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
    'There is no such hook, or the signature or the secret that came with this call is not right. Take both from the settings of the application, or from those of the GitHub App or of the webhook at Stripe.',
  )

import type { Context } from '../../context.ts'
import { StaleCache } from '../../platform/cache.ts'
import { hashToken } from '../../platform/tokens.ts'
import { CloudUnavailable, CloudBusy } from './cloud-errors.ts'
import type { Account } from './provider.ts'

const hour = 3_600_000

/** Returns undefined if optional data, such as a price, is unavailable. */
export async function undefinedIfUnavailable<T>(account: Account, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    account.signal?.throwIfAborted()
    account.ctx.log.warn({ why: String(error) }, 'Failed to read the prices of a cloud provider.')
    return undefined
  }
}

/** Caches data that rarely changes, such as prices, for an hour per account. */
export function cachedHourly<T>(ask: (account: Account) => Promise<T>) {
  const known = new WeakMap<Context, StaleCache<T>>()
  return async ({ ctx, token }: Account): Promise<T> => {
    const kept = known.get(ctx) ?? new StaleCache<T>(hour)
    known.set(ctx, kept)
    const isAway = (error: unknown) => error instanceof CloudUnavailable || error instanceof CloudBusy
    // Shared between callers, so it is not tied to one signal. The key is a hash of the token.
    const { value } = await kept.get(hashToken(token), () => ask({ ctx, token }), isAway)
    return value
  }
}

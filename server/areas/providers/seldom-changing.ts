import type { Context } from '../../context.ts'
import { KeptAnswers } from '../../platform/kept-answers.ts'
import { hashToken } from '../../platform/tokens.ts'
import { CloudAway, CloudBusy } from './cloud-errors.ts'
import type { Account } from './provider.ts'

const hour = 3_600_000

/** For what only stands beside a server, such as what it costs: where that cannot be had now, all else goes on without it. */
export async function whereToBeHad<T>(account: Account, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    account.signal?.throwIfAborted()
    account.ctx.log.warn({ why: String(error) }, 'Failed to read the prices of a cloud provider.')
    return undefined
  }
}

/** Asks a cloud for what changes seldom, such as prices, no more than once an hour for an account. */
export function seldomChanging<T>(ask: (account: Account) => Promise<T>) {
  const known = new WeakMap<Context, KeptAnswers<T>>()
  return async ({ ctx, token }: Account): Promise<T> => {
    const kept = known.get(ctx) ?? new KeptAnswers<T>(hour)
    known.set(ctx, kept)
    const isAway = (error: unknown) => error instanceof CloudAway || error instanceof CloudBusy
    // Others may wait for the same: whoever waits no longer stops nobody. The token itself is not kept.
    const { value } = await kept.get(hashToken(token), () => ask({ ctx, token }), isAway)
    return value
  }
}

import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { tooManyRequests } from '../../errors.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { listSessionAddresses } from './store.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

/** Failed attempts that cause no delay within the window. Each further attempt doubles the delay, up to the maximum. */
const limits = { account: 5, address: 20, windowMinutes: 15, longestSeconds: 60 }

const hashEmail = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('hex')

/**
 * Enforces the login rate limit against brute force. An attempt counts as failed until it succeeds, so that parallel
 * attempts get no extra guesses. Unknown accounts are limited as well.
 */
export async function startAttempt(ctx: Context, email: string, address: string): Promise<void> {
  const account = hashEmail(email)
  const network = toNetwork(address)
  await transaction(ctx.db, async (trx) => {
    await sql`select pg_advisory_xact_lock(1, hashtext(${account})), pg_advisory_xact_lock(2, hashtext(${network}))`.execute(
      trx,
    )
    const own = (await isKnownNetwork(trx, email, network)) ? { account, address: network } : { account }
    const wait = Math.max(
      await remainingWait(trx, limits.account, own),
      await remainingWait(trx, limits.address, { address: network }),
    )
    if (wait > 0) throw tooManyRequests(wait)
    await trx.insertInto('login_failures').values({ account, address: network }).execute()
  })
}

/**
 * Returns whether the owner logged in recently from this network. Only failures from the same network count for it, so
 * that others cannot lock the owner out.
 */
async function isKnownNetwork(trx: Trx, email: string, network: string): Promise<boolean> {
  const sessions = await listSessionAddresses(trx, email)
  return sessions.some(({ address }) => toNetwork(address) === network)
}

type FailureFilter = { account: string; address?: string } | { address: string }

async function remainingWait(trx: Trx, free: number, by: FailureFilter): Promise<number> {
  const { failures, since } = await trx
    .selectFrom('login_failures')
    .select((e) => [
      e.fn.countAll<number>().as('failures'),
      sql<number | null>`extract(epoch from clock_timestamp() - max(failed_at))::float`.as('since'),
    ])
    .where((e) => e.and(by))
    .where('failed_at', '>', sql<Date>`now() - make_interval(mins => ${limits.windowMinutes})`)
    .executeTakeFirstOrThrow()
  return Math.ceil(backoffSeconds(failures, free) - (since ?? 0))
}

export const backoffSeconds = (failures: number, free: number) =>
  failures < free ? 0 : exponentialBackoff(failures - free, 2, limits.longestSeconds)

/** Removes an attempt that did not test a password. */
export const removeAttempt = (ctx: Context, email: string, address: string) =>
  sql`delete from login_failures where ctid = (
    select ctid from login_failures where account = ${hashEmail(email)} and address = ${toNetwork(address)}
    order by failed_at desc limit 1)`.execute(ctx.db)

/** Clears the failures of this network. Failures from other networks stay, because they may be someone else’s. */
export const clearFailures = (ctx: Context, email: string, address: string) =>
  ctx.db
    .deleteFrom('login_failures')
    .where('account', '=', hashEmail(email))
    .where('address', '=', toNetwork(address))
    .execute()

/** A client usually controls a whole IPv6 /64, so it counts as one address. */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const shortest = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1)
  if (shortest.startsWith('::ffff:')) return address
  const [left = [], right = []] = shortest.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { tooMany } from '../../errors.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'

/** Wrong passwords within the window that are free; each further one doubles the wait, up to the longest. */
const limits = { account: 5, address: 20, windowMinutes: 15, longestSeconds: 60 }

const accountOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('hex')

/**
 * Before a password or a code is looked at. The attempt counts as failed until it is known not to be, so that many at
 * once get no more guesses than one after the other; and whether or not there is such an account, so that the answer
 * does not tell.
 */
export async function beginAttempt(ctx: Context, email: string, address: string): Promise<void> {
  const account = accountOf(email)
  await transaction(ctx.db, async (trx) => {
    await sql`select pg_advisory_xact_lock(1, hashtext(${account})), pg_advisory_xact_lock(2, hashtext(${address}))`.execute(
      trx,
    )
    const wait = Math.max(await waitFor(trx, 'account', account), await waitFor(trx, 'address', address))
    if (wait > 0) throw tooMany(wait)
    await trx.insertInto('login_failures').values({ account, address }).execute()
  })
}

async function waitFor(trx: Trx, column: 'account' | 'address', value: string): Promise<number> {
  const { failures, since } = await trx
    .selectFrom('login_failures')
    .select((e) => [
      e.fn.countAll<number>().as('failures'),
      sql<number | null>`extract(epoch from clock_timestamp() - max(failed_at))::float`.as('since'),
    ])
    .where(column, '=', value)
    .where('failed_at', '>', sql<Date>`now() - make_interval(mins => ${limits.windowMinutes})`)
    .executeTakeFirstOrThrow()
  return Math.ceil(waitAfter(failures, limits[column]) - (since ?? 0))
}

export const waitAfter = (failures: number, free: number) =>
  failures < free ? 0 : Math.min(limits.longestSeconds, 2 ** (failures - free + 1))

/** The attempt was none at guessing. */
export const forgiveAttempt = (ctx: Context, email: string, address: string) =>
  sql`delete from login_failures where ctid = (
    select ctid from login_failures where account = ${accountOf(email)} and address = ${address}
    order by failed_at desc limit 1)`.execute(ctx.db)

export const forgetFailures = (ctx: Context, email: string) =>
  ctx.db.deleteFrom('login_failures').where('account', '=', accountOf(email)).execute()

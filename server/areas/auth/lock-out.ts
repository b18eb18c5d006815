import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { tooMany } from '../../errors.ts'

/** Wrong passwords within the window that are free; each further one doubles the wait, up to the longest. */
const limits = { account: 5, address: 20, windowMinutes: 15, longestSeconds: 60 }

const accountOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('hex')

/** Counts whether or not there is such an account, so that the answer does not tell. */
export async function refuseWhenLockedOut(ctx: Context, email: string, address: string): Promise<void> {
  const { rows } = await ctx.pool.query<{ failures: number; free: number; since: number | null }>(
    `select count(*) as failures, ${limits.account} as free, extract(epoch from now() - max(failed_at))::float as since
       from login_failures where account = $1 and failed_at > now() - make_interval(mins => $3)
     union all
     select count(*), ${limits.address}, extract(epoch from now() - max(failed_at))::float
       from login_failures where address = $2 and failed_at > now() - make_interval(mins => $3)`,
    [accountOf(email), address, limits.windowMinutes],
  )
  const waits = rows.map(({ failures, free, since }) => waitAfter(failures, free) - (since ?? 0))
  const longest = Math.ceil(Math.max(0, ...waits))
  if (longest > 0) throw tooMany(longest)
}

export const waitAfter = (failures: number, free: number) =>
  failures < free ? 0 : Math.min(limits.longestSeconds, 2 ** (failures - free + 1))

export const noteFailure = (ctx: Context, email: string, address: string) =>
  ctx.db
    .insertInto('login_failures')
    .values({ account: accountOf(email), address })
    .execute()

export const forgetFailures = (ctx: Context, email: string) =>
  ctx.db.deleteFrom('login_failures').where('account', '=', accountOf(email)).execute()

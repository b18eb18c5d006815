import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { getSettings } from '../../settings.ts'
import type { Db, Tables } from '../../tables.ts'

/** To one address. Links of earlier mails stay valid, so a flood does not take the newest link from its owner. */
const mostPerAddressPerDay = 10

/**
 * Counts a mail that anybody can have sent to an account; false where it must not be sent. Callers do not tell: the answer
 * would say whether there is an account. Each kind counts by itself, so that sign-ups cannot hold back password resets.
 */
export async function countMail(
  ctx: Context,
  trx: Db,
  userId: Id<'user'>,
  kind: Tables['sent_mails']['kind'],
): Promise<boolean> {
  const { accountMailsPerInstancePerDay: most } = (await getSettings({ ...ctx, db: trx })).limits
  // Of two at once the second one sees the first.
  await sql`select pg_advisory_xact_lock(6, 1)`.execute(trx)
  const { rows } = await sql<{ minute: number; day: number; all: number }>`
    select count(*) filter (where user_id = ${userId} and sent_at > now() - interval '1 minute')::int as minute,
      count(*) filter (where user_id = ${userId})::int as day, count(*)::int as all
    from sent_mails where kind = ${kind} and sent_at > now() - interval '1 day'`.execute(trx)
  const sent = rows[0] ?? { minute: 0, day: 0, all: 0 }
  if (sent.minute > 0 || sent.day >= mostPerAddressPerDay || sent.all >= most) return false
  await trx.insertInto('sent_mails').values({ user_id: userId, kind }).execute()
  if (sent.all + 1 === most)
    ctx.log.warn(
      { kind, most },
      'No more account mails of this kind are sent for a day: the limit is reached.',
    )
  return true
}

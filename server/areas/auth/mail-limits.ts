import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { getSettings } from '../../settings.ts'
import type { Db, Tables } from '../../tables.ts'

/** Per address. Links of earlier emails stay valid, so a flood does not invalidate the owner's link. */
const mostPerAddressPerDay = 10

/**
 * Counts an email that anyone can trigger; returns false if the limit is reached. Callers must not report that, since it would reveal whether the account exists. Each kind has its own limit, so that signups cannot block password resets.
 */
export async function countMail(
  ctx: Context,
  trx: Db,
  userId: Id<'user'>,
  kind: Tables['sent_mails']['kind'],
): Promise<boolean> {
  const { accountMailsPerInstancePerDay: most } = (await getSettings({ ...ctx, db: trx })).limits
  // Serializes concurrent calls, so that the second sees the first.
  await sql`select pg_advisory_xact_lock(6, 1)`.execute(trx)
  const { rows } = await sql<{ minute: number; day: number; all: number }>`
    select count(*) filter (where user_id = ${userId} and sent_at > now() - interval '1 minute')::int as minute,
      count(*) filter (where user_id = ${userId})::int as day, count(*)::int as all
    from sent_mails where kind = ${kind} and sent_at > now() - interval '1 day'`.execute(trx)
  const sent = rows[0] ?? { minute: 0, day: 0, all: 0 }
  if (sent.minute > 0 || sent.day >= mostPerAddressPerDay || sent.all >= most) return false
  await trx.insertInto('sent_mails').values({ user_id: userId, kind }).execute()
  if (sent.all + 1 === most)
    ctx.log.warn({ kind, most }, 'Daily limit for account emails of this kind reached')
  return true
}

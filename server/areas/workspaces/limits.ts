import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Problem } from '../../errors.ts'
import { getSettings } from '../../settings.ts'
import type { Trx } from '../../tables.ts'

/**
 * Counts an invite that is sent now, also one that is sent again. Refuses it where the person or all of this Slipway has sent as
 * many within a day as is allowed: mails go out in the operator's name.
 */
export async function countInvite(ctx: Context, trx: Trx, userId: Id<'user'>): Promise<void> {
  const { invitesPerUserPerDay: own, invitesPerInstancePerDay: all } = (await getSettings(ctx)).limits
  // Of two at once the second one sees the first.
  await sql`select pg_advisory_xact_lock(6, 0)`.execute(trx)
  const wait = await secondsUntilFree(trx, own, userId)
  if (wait) throw tooManyInvites(`You have sent ${own} invites`, wait)
  const waitForAll = await secondsUntilFree(trx, all)
  if (waitForAll) throw tooManyInvites(`This Slipway has sent ${all} invites`, waitForAll)
  await trx.insertInto('sent_invites').values({ user_id: userId }).execute()
}

/** How long until fewer than `most` were sent within a day; undefined where that is so already. */
async function secondsUntilFree(trx: Trx, most: number, userId?: Id<'user'>): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from sent_at + interval '1 day' - now())::float as wait from sent_invites
    where sent_at > now() - interval '1 day' ${userId ? sql`and user_id = ${userId}` : sql``}
    order by sent_at desc offset ${most - 1} limit 1`.execute(trx)
  return rows[0] && Math.max(1, Math.ceil(rows[0].wait))
}

function tooManyInvites(what: string, seconds: number) {
  const minutes = Math.ceil(seconds / 60)
  const when =
    minutes < 90 ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `${Math.ceil(minutes / 60)} hours`
  return new Problem(
    429,
    'too_many_invites',
    `${what} within 24 hours, the most that is allowed. Try again in ${when}.`,
    seconds,
  )
}

/** Refuses one more workspace to somebody who owns as many as the instance allows. `name` is that of somebody else. */
export async function mustBeAllowedAnother(
  ctx: Context,
  trx: Trx,
  userId: Id<'user'>,
  name?: string,
): Promise<void> {
  const { workspacesPerUser: most } = (await getSettings(ctx)).limits
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const { owned } = await trx
    .selectFrom('members')
    .select((e) => e.fn.countAll<number>().as('owned'))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  if (owned >= most)
    throw conflict(
      'too_many_workspaces',
      `${name === undefined ? 'You own' : `${name} owns`} ${owned} workspace${owned === 1 ? '' : 's'}, and ${most} ${most === 1 ? 'is' : 'are'} allowed for each person. ${name === undefined ? 'Delete one that you do not need' : 'Choose another role'}, or ask the operator of this Slipway to allow more.`,
    )
}

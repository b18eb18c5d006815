import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Problem } from '../../errors.ts'
import { getSettings } from '../../settings.ts'
import type { Trx } from '../../tables.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

/**
 * Enforces the daily limits of invites, including resent ones, because their emails are sent in the name of the
 * operator.
 */
export async function countInvite(ctx: Context, trx: Trx, userId: Id<'user'>): Promise<void> {
  const { invitesPerUserPerDay: own, invitesPerInstancePerDay: all } = (await getSettings(ctx)).limits
  // The lock serializes concurrent calls, so that the second counts the invite of the first.
  await sql`select pg_advisory_xact_lock(6, 0)`.execute(trx)
  const wait = await secondsUntilFree(trx, own, userId)
  if (wait) throw tooManyInvites(`You have sent ${own} invites`, wait)
  const waitForAll = await secondsUntilFree(trx, all)
  if (waitForAll) throw tooManyInvites(`This instance has sent ${all} invites`, waitForAll)
  await trx.insertInto('sent_invites').values({ user_id: userId }).execute()
}

async function secondsUntilFree(trx: Trx, most: number, userId?: Id<'user'>): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from sent_at + interval '1 day' - now())::float as wait from sent_invites
    where sent_at > now() - interval '1 day' ${userId ? sql`and user_id = ${userId}` : sql``}
    order by sent_at desc offset ${most - 1} limit 1`.execute(trx)
  return rows[0] && Math.max(1, Math.ceil(rows[0].wait))
}

function tooManyInvites(what: string, seconds: number) {
  const minutes = Math.ceil(seconds / 60)
  const when = minutes < 90 ? formatCount(minutes, 'minute') : `${Math.ceil(minutes / 60)} hours`
  return new Problem(
    429,
    'too_many_invites',
    `${what} within 24 hours, which is the limit. Try again in ${when}.`,
    seconds,
  )
}

/** Enforces the limit of workspaces per owner. `name` is set if the owner is not the caller. */
export async function assertWorkspaceLimit(
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
      `${name === undefined ? 'You own' : `${name} owns`} ${formatCount(owned, 'workspace')}, and the limit is ${most} per user. ${name === undefined ? 'Delete a workspace' : 'Choose another role'}, or ask an instance owner to raise the limit.`,
    )
}

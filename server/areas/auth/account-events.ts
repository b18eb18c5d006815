import { type Selectable, sql } from 'kysely'
import { accountEvents, type AccountEventType } from '../../../contract/user.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { describeDevice } from '../../../contract/shared/user-agent.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User } from '../../route.ts'
import type { Db, Tables } from '../../tables.ts'
import { isMailedAlways, mailAccountEvent } from './account-mails.ts'
import { isNewDevice, type Origin } from './device.ts'
import { findUser } from './store.ts'

export const accountEventRetentionDays = 180

/** Events that anyone can cause or that repeat often. Repeats within 15 minutes are counted in one row. */
const collapsed: Partial<Record<AccountEventType, { mostRows: number }>> = {
  'account.login': { mostRows: Number.POSITIVE_INFINITY },
  'account.logout': { mostRows: Number.POSITIVE_INFINITY },
  // Maximum number of rows in 15 minutes, however many addresses an attacker uses.
  'account.login_failed': { mostRows: 5 },
  'api_token.expired_use': { mostRows: 5 },
}

/** Initiator of an account event: a request with a known address, another member, or the operator of the instance. */
type AccountEventOrigin = (Origin & { via?: User['via'] }) | 'member' | 'operator'

interface NewAccountEvent {
  user: Id<'user'>
  type: AccountEventType
  by: AccountEventOrigin
  /** Details of the event, which must not contain secrets. */
  detail?: string
}

/** Records an account event and queues the email for it, in the caller's transaction. */
export async function recordAccountEvent(ctx: Context, db: Db, event: NewAccountEvent): Promise<void> {
  const { user, type, by } = event
  const mailed =
    isMailedAlways(type) || (type === 'account.login' && isOrigin(by) && (await isNewDevice(db, user, by)))
  const row = toAccountEventRow(event)
  if (!mailed && (await countRepeat(db, row))) return
  await db
    .insertInto('account_events')
    .values({ ...row, mailed: mailed && (await mailAccountEvent(ctx, db, row)) })
    .execute()
}

/** Records an event in the background, because the response time must not reveal whether the account exists. */
export function recordInBackground(ctx: Context, event: NewAccountEvent): void {
  transaction(ctx.db, async (trx) => {
    // Without the lock, concurrent calls would each insert a row.
    await sql`select pg_advisory_xact_lock(5, hashtext(${event.user}))`.execute(trx)
    await recordAccountEvent(ctx, trx, event)
  }).catch((error: unknown) =>
    ctx.log.warn({ reason: String(error), type: event.type }, 'Failed to record an account event'),
  )
}

const isOrigin = (by: AccountEventOrigin): by is Exclude<AccountEventOrigin, string> => typeof by !== 'string'

function toAccountEventRow({ user, type, by, detail }: NewAccountEvent) {
  const origin = isOrigin(by) ? by : undefined
  return {
    id: newId('accountEvent'),
    user_id: user,
    type,
    address: origin?.address ?? null,
    agent: origin?.agent ?? null,
    via: isOrigin(by) ? (by.via?.kind ?? ('public' as const)) : by,
    detail: detail ?? null,
    browser_hash: origin?.browser ?? null,
  }
}

export type AccountEventRow = ReturnType<typeof toAccountEventRow>

async function countRepeat(db: Db, row: AccountEventRow): Promise<boolean> {
  const limit = collapsed[row.type]
  if (!limit) return false
  const recent = await db
    .selectFrom('account_events')
    .select(['id', 'address', 'agent', 'detail'])
    .where('user_id', '=', row.user_id)
    .where('type', '=', row.type)
    .where('last_at', '>', sql<Date>`now() - interval '15 minutes'`)
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
  const same = recent.find(
    ({ address, agent, detail }) => address === row.address && agent === row.agent && detail === row.detail,
  )
  const overflow = recent.length >= limit.mostRows ? recent[0] : undefined
  const counted = same ?? overflow
  if (!counted) return false
  await db
    .updateTable('account_events')
    .set((e) => ({
      count: e('count', '+', 1),
      last_at: sql<Date>`now()`,
      // A row for several addresses shows none of them.
      ...(same ? {} : { address: null, agent: null, detail: 'from several addresses' }),
    }))
    .where('user_id', '=', row.user_id)
    .where('id', '=', counted.id)
    .execute()
  return true
}

export async function listActivity({ db }: Pick<Context, 'db'>, userId: Id<'user'>, query: PageQuery) {
  const { rows, page } = await readPage<Selectable<Tables['account_events']>>(
    db,
    {
      from: sql`select * from account_events where user_id = ${userId}`,
      order: ['id'],
      direction: 'desc',
    },
    query,
  )
  return { events: rows.map(presentAccountEvent), page }
}

export async function listUserActivity(ctx: Context, userId: Id<'user'>, query: PageQuery) {
  if (!(await findUser(ctx.db, userId))) throw notFound('This account')
  return listActivity(ctx, userId, query)
}

const presentAccountEvent = (row: Selectable<Tables['account_events']>) => ({
  id: row.id,
  type: row.type,
  summary: accountEvents[row.type],
  detail: row.detail,
  address: row.address,
  device: row.agent === null ? null : describeDevice(row.agent),
  via: row.via,
  count: row.count,
  created_at: row.created_at.toISOString(),
  last_at: row.last_at.toISOString(),
})

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables, Trx } from '../../tables.ts'
import { live, owed } from './status.ts'

export type SubscriptionRow = Selectable<Tables['subscriptions']>

export const findSubscription = (
  db: Db,
  workspaceId: Id<'workspace'>,
): Promise<SubscriptionRow | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst()

/** A customer takes the place of one that is gone at Stripe; the page to pay on was that one's. */
export const setCustomer = (trx: Trx, workspaceId: Id<'workspace'>, customer_id: string) =>
  trx
    .insertInto('subscriptions')
    .values({ workspace_id: workspaceId, customer_id })
    .onConflict((on) =>
      on
        .column('workspace_id')
        .doUpdateSet({ customer_id, checkout_id: null, checkout_plan_id: null, checkout_until: null }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** Whether it is there, and stays so until the transaction ends. */
export const holdWorkspace = async (trx: Trx, workspaceId: Id<'workspace'>): Promise<boolean> => {
  const held = trx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forShare()
  return (await held.executeTakeFirst()) !== undefined
}

/** Nothing comes back where the workspace is gone by now. */
export const setSubscription = (
  db: Db,
  workspaceId: Id<'workspace'>,
  values: Updateable<Tables['subscriptions']>,
): Promise<SubscriptionRow | undefined> =>
  db
    .updateTable('subscriptions')
    .set(values)
    .where('workspace_id', '=', workspaceId)
    .returningAll()
    .executeTakeFirst()

export const findWorkspace = (db: Db, workspaceId: Id<'workspace'>) =>
  db
    .selectFrom('workspaces')
    .select(['name', 'trial_ends_at'])
    .where('id', '=', workspaceId)
    .executeTakeFirst()

/** Whether it was not told before. */
export async function noteTold(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  kind: string,
  about: string,
): Promise<boolean> {
  const made = await trx
    .insertInto('billing_notices')
    .values({ workspace_id: workspaceId, kind, about })
    .onConflict((on) => on.doNothing())
    .returning('kind')
    .executeTakeFirst()
  return made !== undefined
}

export const listOwners = (db: Db, workspaceId: Id<'workspace'>) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.name', 'users.email'])
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .orderBy('members.id')
    .execute()

/** Whose customer it is, of those that are there. */
export async function findWorkspaceOf(db: Db, customer: string): Promise<Id<'workspace'> | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .select('workspace_id')
    .where('customer_id', '=', customer)
    .executeTakeFirst()
  return row?.workspace_id
}

/** Whether it was not heard before. */
export async function noteHeard(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    insert into stripe_events (id) values (${id}) on conflict do nothing returning id`.execute(db)
  return rows.length > 0
}

/** So many workspaces that have a customer, after this one. */
export async function listSubscribed(db: Db, after: string, most: number): Promise<Id<'workspace'>[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('workspace_id')
    .where(sql<boolean>`workspace_id > ${after}`)
    .orderBy('workspace_id')
    .limit(most)
    .execute()
  return rows.map(({ workspace_id }) => workspace_id)
}

/** Of whom more must have happened at Stripe than is known here. */
export const listOverdue = (db: Db, now: Date) => overdue(db, now).orderBy('workspace_id').execute()

/** Whether it is one of those, and nobody is about to ask. */
export async function isOverdue(db: Db, workspaceId: Id<'workspace'>, now: Date): Promise<boolean> {
  const found = await overdue(db, now)
    .where('workspace_id', '=', workspaceId)
    .where(
      sql<boolean>`not exists (select from jobs where key = ${syncKey(workspaceId)} and state in ('queued', 'running'))`,
    )
    .executeTakeFirst()
  return found !== undefined
}

export const syncKey = (workspaceId: Id<'workspace'>) => `billing:${workspaceId}`

/**
 * A payment is owed, which may be made by now, or a period or the time of a change that waits is over, or there is a page on
 * which somebody may have paid; and Stripe was not asked for a minute.
 */
const overdue = (db: Db, now: Date) =>
  db
    .selectFrom('subscriptions')
    .select('workspace_id')
    .where((is) =>
      is.or([
        is('stripe_status', 'in', owed),
        is.and([
          is('stripe_status', 'in', live),
          is.or([is('period_ends_at', '<', now), is('cancel_at', '<', now), is('held_until', '<', now)]),
        ]),
        is.and([
          is.or([is('stripe_status', 'is', null), is('stripe_status', 'not in', live)]),
          is('checkout_until', 'is not', null),
          is.or([is('seen_at', 'is', null), is('seen_at', '<', is.ref('checkout_until'))]),
        ]),
      ]),
    )
    .where((is) => is.or([is('seen_at', 'is', null), is('seen_at', '<', new Date(now.getTime() - 60_000))]))

export type OwedRefund = Selectable<Tables['owed_refunds']>

/** Before anything is given back, so that it is not forgotten half way. */
export const oweRefund = (trx: Db, values: Insertable<Tables['owed_refunds']>) =>
  trx
    .insertInto('owed_refunds')
    .values(values)
    .onConflict((on) => on.doNothing())
    .execute()

/** Those that were not tried to the end; others are, every day. */
export const listUntried = (db: Db, workspaceId: Id<'workspace'>): Promise<OwedRefund[]> =>
  db
    .selectFrom('owed_refunds')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('refused_at', 'is', null)
    .orderBy('subscription_id')
    .execute()

export const listOwedRefunds = (db: Db): Promise<OwedRefund[]> =>
  db.selectFrom('owed_refunds').selectAll().orderBy('created_at').execute()

export const noteRefused = (db: Db, subscription: string, refused_at: Date) =>
  db.updateTable('owed_refunds').set({ refused_at }).where('subscription_id', '=', subscription).execute()

export const noteRefunded = (db: Db, subscription: string) =>
  db.deleteFrom('owed_refunds').where('subscription_id', '=', subscription).execute()

export const findDeparted = (db: Db, customer: string) =>
  db.selectFrom('departed_customers').selectAll().where('customer_id', '=', customer).executeTakeFirst()

/** From now on what it pays for is nobody's. */
export const noteDeparted = (db: Db, customer_id: string, left_at: Date) =>
  db
    .insertInto('departed_customers')
    .values({ customer_id, left_at })
    .onConflict((on) => on.doNothing())
    .execute()

export const listDeparted = (db: Db) =>
  db.selectFrom('departed_customers').selectAll().orderBy('left_at').execute()

export const noteEnded = (db: Db, customer: string) =>
  db
    .updateTable('departed_customers')
    .set({ ended_at: sql<Date>`now()` })
    .where('customer_id', '=', customer)
    .execute()

import { type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables, Trx } from '../../tables.ts'
import { liveStatuses, overdueStatuses } from '../workspaces/subscription-status.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'

export type SubscriptionRow = Selectable<Tables['subscriptions']>

export const findSubscription = (
  db: Db,
  workspaceId: Id<'workspace'>,
): Promise<SubscriptionRow | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst()

/** Replaces a customer that was deleted in Stripe and drops its checkout. */
export const setCustomer = (trx: Trx, workspaceId: Id<'workspace'>, customer_id: string) =>
  trx
    .insertInto('subscriptions')
    .values({ workspace_id: workspaceId, customer_id })
    .onConflict((on) =>
      on.column('workspace_id').doUpdateSet({ customer_id, checkout_id: null, checkout_until: null }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const lockExistingWorkspace = async (trx: Trx, workspaceId: Id<'workspace'>): Promise<boolean> => {
  const held = trx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forShare()
  return (await held.executeTakeFirst()) !== undefined
}

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

export const findBilledWorkspace = (db: Db, workspaceId: Id<'workspace'>) =>
  db
    .selectFrom('workspaces')
    .select(['name', 'trial_ends_at'])
    .where('id', '=', workspaceId)
    .executeTakeFirst()

/** Returns whether the notice was not sent before. */
export async function recordNotice(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  kind: string,
  about: string,
): Promise<boolean> {
  const created = await trx
    .insertInto('billing_notices')
    .values({ workspace_id: workspaceId, kind, about })
    .onConflict((on) => on.doNothing())
    .returning('kind')
    .executeTakeFirst()
  return created !== undefined
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

export async function findWorkspaceByCustomer(
  db: Db,
  customer: string,
): Promise<Id<'workspace'> | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .select('workspace_id')
    .where('customer_id', '=', customer)
    .executeTakeFirst()
  return row?.workspace_id
}

export async function recordStripeEvent(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    insert into stripe_events (id) values (${id}) on conflict do nothing returning id`.execute(db)
  return rows.length > 0
}

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

export const listDueForSync = (db: Db, now: Date) =>
  selectDueForSync(db, now).orderBy('workspace_id').execute()

export async function isSyncDue(db: Db, workspaceId: Id<'workspace'>, now: Date): Promise<boolean> {
  const due = await selectDueForSync(db, now)
    .where('workspace_id', '=', workspaceId)
    .where(
      sql<boolean>`not exists (select from jobs where key = ${billingSyncKey(workspaceId)} and state in ('queued', 'running'))`,
    )
    .executeTakeFirst()
  return due !== undefined
}

export const billingSyncKey = (workspaceId: Id<'workspace'>) => `billing:${workspaceId}`

/**
 * Selects subscriptions that are overdue, past the end of a period or change, or have an open checkout; each at most
 * once a minute.
 */
const selectDueForSync = (db: Db, now: Date) =>
  db
    .selectFrom('subscriptions')
    .select('workspace_id')
    .where((is) =>
      is.or([
        is('stripe_status', 'in', overdueStatuses),
        is.and([
          is('stripe_status', 'in', liveStatuses),
          is.or([is('period_ends_at', '<', now), is('cancel_at', '<', now), is('held_until', '<', now)]),
        ]),
        is.and([
          is.or([is('stripe_status', 'is', null), is('stripe_status', 'not in', liveStatuses)]),
          is('checkout_until', 'is not', null),
          is.or([is('seen_at', 'is', null), is('seen_at', '<', is.ref('checkout_until'))]),
        ]),
      ]),
    )
    .where((is) => is.or([is('seen_at', 'is', null), is('seen_at', '<', new Date(now.getTime() - 60_000))]))

export const findDepartedCustomer = (db: Db, customer: string) =>
  db.selectFrom('departed_customers').selectAll().where('customer_id', '=', customer).executeTakeFirst()

export const insertDepartedCustomer = (db: Db, customer_id: string, left_at: Date) =>
  db
    .insertInto('departed_customers')
    .values({ customer_id, left_at })
    .onConflict((on) => on.doNothing())
    .execute()

export const listDepartedCustomers = (db: Db) =>
  db.selectFrom('departed_customers').selectAll().orderBy('left_at').execute()

export const markDepartedCustomerEnded = (db: Db, customer: string) =>
  db
    .updateTable('departed_customers')
    .set({ ended_at: sql<Date>`now()` })
    .where('customer_id', '=', customer)
    .execute()

export const requestBillingSync = (ctx: Context, db: Db, workspaceId: Id<'workspace'>, delay = 0) =>
  enqueue(ctx.secrets, db, {
    kind: 'sync-billing',
    payload: { workspace_id: workspaceId },
    key: billingSyncKey(workspaceId),
    lane: 'webhooks',
    attempts: 50,
    delay,
  })

import type { Insertable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../../server/tables.ts'
import { unique } from './factories.ts'

const day = 86_400_000

/** The first plan limits the trial. */
export const plans = [
  { id: 'pro', name: 'Pro', price: 'price_pro', servers: 10, members: 5, retention_days: 30 },
  { id: 'team', name: 'Team', price: 'price_team' },
  { id: 'hobby', name: 'Hobby', price: 'price_hobby', servers: 1, members: 1, retention_days: 7 },
] as const

/** Billing with this Stripe, or with an unreachable one. */
export const paidEnv = (stripe?: { env: Record<string, string> }): Record<string, string> =>
  stripe?.env ?? {
    STRIPE_SECRET_KEY: 'sk_test_slipway',
    STRIPE_WEBHOOK_SECRET: 'whsec_slipway',
    STRIPE_API_URL: 'http://127.0.0.1:9',
    PLANS: JSON.stringify(plans),
  }

/** Plans without limits, for other tests. */
export const roomyEnv = (stripe: { env: Record<string, string> }): Record<string, string> => ({
  ...paidEnv(stripe),
  PLANS: JSON.stringify(plans.map(({ id, name, price }) => ({ id, name, price }))),
})

export interface SubscriptionOptions extends Partial<
  Omit<Insertable<Tables['subscriptions']>, 'workspace_id' | 'plan_id' | 'stripe_status'>
> {
  /** Plan ID; null for an unknown price. */
  plan?: string | null
  status?: string
}

/** A paid Pro subscription by default. */
export async function makeSubscription(
  db: Db,
  workspace_id: Id<'workspace'>,
  { plan = 'pro', status = 'active', ...given }: SubscriptionOptions = {},
) {
  const row = {
    workspace_id,
    customer_id: unique('cus'),
    subscription_id: unique('sub'),
    plan_id: plan,
    plan_since: new Date(),
    stripe_status: status,
    amount: 2_000,
    currency: 'eur',
    interval: 'month',
    interval_count: 1,
    period_ends_at: new Date(Date.now() + 30 * day),
    past_due_since: status === 'past_due' ? new Date() : null,
    seen_at: new Date(),
    ...given,
  } as const satisfies Insertable<Tables['subscriptions']>
  return db
    .insertInto('subscriptions')
    .values(row)
    .onConflict((on) => on.column('workspace_id').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const setTrial = (db: Db, workspaceId: Id<'workspace'>, trial_ends_at: Date) =>
  db.updateTable('workspaces').set({ trial_ends_at }).where('id', '=', workspaceId).execute()

/** Ended a day ago. */
export const endTrial = (db: Db, workspaceId: Id<'workspace'>) =>
  setTrial(db, workspaceId, new Date(Date.now() - day))

import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { planLimits } from '../../../contract/billing.ts'
import { hasPlan } from '../../../contract/shared/has-plan.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { workspace } from '../../../contract/workspaces.ts'
import type { ConfiguredPlan } from '../../config-values.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import type { Db, Tables } from '../../tables.ts'
import { findPlanAccessRow, listPlanAccessRows, findLockedWorkspace } from './store.ts'
import { graceEndsAt, grantsAccess } from './subscription-status.ts'

type Subscription = Pick<
  Selectable<Tables['subscriptions']>,
  'plan_id' | 'plan_since' | 'stripe_status' | 'cancel_at' | 'past_due_since'
>

export interface PlanAccessRow extends Subscription {
  trial_ends_at: Date
}

type Limits = z.output<typeof planLimits>

export interface PlanAccess {
  billing: boolean
  onTrial: boolean
  trialEndsAt: Date | null
  /** Subscription as the API returns it; null if there never was one. */
  subscription: z.output<typeof workspace>['subscription']
  allowed: boolean
  plan: ConfiguredPlan | undefined
  limits: Limits
}

type BillingConfig = Pick<Config, 'STRIPE_SECRET_KEY' | 'PLANS'>

const unlimited: Limits = { servers: null, members: null, retention_days: null }

/** Access of every workspace without billing: the Pro plan. */
const selfHosted: PlanAccess = {
  billing: false,
  onTrial: false,
  trialEndsAt: null,
  subscription: {
    stripe_status: 'active',
    status: 'active',
    plan_name: 'Pro',
    cancel_at: null,
    grace_ends_at: null,
  },
  allowed: true,
  plan: undefined,
  limits: unlimited,
}

export const isBillingOn = ({ STRIPE_SECRET_KEY }: BillingConfig) => STRIPE_SECRET_KEY !== undefined

export function toPlanAccess(config: BillingConfig, row: PlanAccessRow, now: Date): PlanAccess {
  if (!isBillingOn(config)) return selfHosted
  const paid = grantsAccess(row, now)
  const onTrial = !paid && row.trial_ends_at > now
  const chosen = findConfiguredPlan(config, row.plan_id)
  const subscription = toShownSubscription(row, chosen, now)
  return {
    billing: true,
    onTrial,
    trialEndsAt: row.trial_ends_at,
    subscription,
    allowed: hasPlan({ on_trial: onTrial, subscription }),
    plan: paid ? chosen : undefined,
    limits: planLimitsOf(paid ? chosen : config.PLANS?.[0]),
  }
}

/** Reads whether the trial or plan of a workspace allows changes and deployments. */
export async function readPlanAccess(
  ctx: Context,
  db: Db,
  workspaceId: Id<'workspace'>,
): Promise<PlanAccess> {
  if (!isBillingOn(ctx.config)) return selfHosted
  const row = await findPlanAccessRow(db, workspaceId)
  if (!row) throw notFound('This workspace')
  return toPlanAccess(ctx.config, row, ctx.now())
}

export const findConfiguredPlan = ({ PLANS = [] }: BillingConfig, id: string | null) =>
  PLANS.find((plan) => plan.id === id)

function toShownSubscription(
  row: Subscription,
  plan: ConfiguredPlan | undefined,
  now: Date,
): PlanAccess['subscription'] {
  const { stripe_status } = row
  if (!stripe_status) return null
  const paid = grantsAccess(row, now)
  return {
    stripe_status: paid ? 'active' : stripe_status,
    status: paid && stripe_status !== 'trialing' ? 'active' : stripe_status,
    plan_name: plan?.name ?? null,
    cancel_at: row.cancel_at?.toISOString() ?? null,
    grace_ends_at: graceEndsAt(row)?.toISOString() ?? null,
  }
}

/** Returns the limits of a plan. A custom price has no configured plan, and therefore no limits. */
const planLimitsOf = (plan: ConfiguredPlan | undefined): Limits =>
  plan ? { servers: plan.servers, members: plan.members, retention_days: plan.retention_days } : unlimited

interface Retention {
  workspaceId: Id<'workspace'>
  since: Date
  days: number
}

/**
 * Lists the retention of each workspace. Data that was recorded under a previous plan keeps the retention of that plan,
 * also after it has ended.
 */
export async function listRetentions(ctx: Context): Promise<Retention[]> {
  if (!isBillingOn(ctx.config)) return []
  const rows = await listPlanAccessRows(ctx.db)
  return rows.flatMap((row) => {
    const subscribed = row.stripe_status !== null
    const plan = subscribed ? findConfiguredPlan(ctx.config, row.plan_id) : ctx.config.PLANS?.[0]
    const since = subscribed ? row.plan_since : row.begun_at
    if (!since || !plan || plan.retention_days === null) return []
    return [{ workspaceId: row.id, since, days: plan.retention_days }]
  })
}

/** Returns whether an instance owner locked the workspace. Nothing can be changed or deployed until it is unlocked. */
export const isWorkspaceLocked = async (db: Db, workspaceId: Id<'workspace'>) =>
  (await findLockedWorkspace(db, workspaceId)) !== undefined

/** Checks the lock for requests without a member, such as a server that connects during import. */
export async function assertWorkspaceNotLocked(db: Db, workspaceId: Id<'workspace'>): Promise<void> {
  if (await isWorkspaceLocked(db, workspaceId)) throw workspaceLocked()
}

export const workspaceLocked = () =>
  new Problem(
    403,
    'workspace_locked',
    'This workspace was locked by an instance owner. Its applications keep running. Ask an instance owner to unlock it, or switch to another workspace.',
  )

export const noPlanReason = (subscription: PlanAccess['subscription']) =>
  isPaymentOverdue(subscription)
    ? 'A payment for this workspace is overdue'
    : `The ${subscription ? 'plan' : 'trial'} of this workspace has ended`

export const isPaymentOverdue = (subscription: PlanAccess['subscription']) =>
  ['past_due', 'unpaid', 'incomplete'].includes(subscription?.status ?? '')

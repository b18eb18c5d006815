import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { planLimits } from '../../../contract/billing.ts'
import { hasPlan } from '../../../contract/shared/has-plan.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { workspace } from '../../../contract/workspaces.ts'
import type { ConfiguredPlan } from '../../billing-variables.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Db, Tables } from '../../tables.ts'
import { findStanding } from './store.ts'

/** How long a plan is kept for whoever owes a payment. */
const graceDays = 7

type Subscription = Pick<
  Selectable<Tables['subscriptions']>,
  'plan_id' | 'plan_since' | 'stripe_status' | 'cancel_at' | 'past_due_since'
>

/** The trial of the workspace, and what it subscribed to, if it did. */
export interface StandingRow extends Subscription {
  trial_ends_at: Date
}

type Limits = z.output<typeof planLimits>

/** What a workspace may do by its trial or its plan. */
export interface Standing {
  /** Whether plans are paid for here at all. */
  billing: boolean
  onTrial: boolean
  trialEndsAt: Date | null
  /** As the workspace shows it; null when there never was one. */
  subscription: z.output<typeof workspace>['subscription']
  allowed: boolean
  /** What is paid for, if that is one of those that are offered here. */
  plan: ConfiguredPlan | undefined
  limits: Limits
}

type Plans = Pick<Config, 'STRIPE_SECRET_KEY' | 'PLANS'>

const unlimited: Limits = { servers: null, members: null, retention_days: null }

/** Without a payment provider Slipway is self-hosted: every workspace is on the Pro plan. */
const selfHosted: Standing = {
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

export const isPaidFor = ({ STRIPE_SECRET_KEY }: Plans) => STRIPE_SECRET_KEY !== undefined

export function standOf(config: Plans, row: StandingRow, now: Date): Standing {
  if (!isPaidFor(config)) return selfHosted
  const paid = givesAccess(row, now)
  const onTrial = !paid && row.trial_ends_at > now
  const chosen = planOf(config, row.plan_id)
  const subscription = shown(row, chosen, now)
  return {
    billing: true,
    onTrial,
    trialEndsAt: row.trial_ends_at,
    subscription,
    allowed: hasPlan({ on_trial: onTrial, subscription }),
    plan: paid ? chosen : undefined,
    limits: limitsOf(paid ? chosen : config.PLANS?.[0]),
  }
}

export async function readStanding(ctx: Context, db: Db, workspaceId: Id<'workspace'>): Promise<Standing> {
  if (!isPaidFor(ctx.config)) return selfHosted
  const row = await findStanding(db, workspaceId)
  if (!row) throw notFound('This workspace')
  return standOf(ctx.config, row, ctx.now())
}

/** Whoever owes a payment keeps what they paid for until then. */
export function givesAccess(row: Pick<Subscription, 'stripe_status' | 'past_due_since'>, now: Date): boolean {
  const grace = graceEndsAt(row)
  return grace ? grace > now : ['active', 'trialing', 'past_due'].includes(row.stripe_status ?? '')
}

export function graceEndsAt({
  stripe_status,
  past_due_since,
}: Pick<Subscription, 'stripe_status' | 'past_due_since'>): Date | null {
  if (stripe_status !== 'past_due' || !past_due_since) return null
  return new Date(past_due_since.getTime() + graceDays * 86_400_000)
}

export const planOf = ({ PLANS = [] }: Plans, id: string | null) => PLANS.find((plan) => plan.id === id)

function shown(row: Subscription, plan: ConfiguredPlan | undefined, now: Date): Standing['subscription'] {
  const { stripe_status } = row
  if (!stripe_status) return null
  const paid = givesAccess(row, now)
  return {
    stripe_status: paid ? 'active' : stripe_status,
    status: paid && stripe_status !== 'trialing' ? 'active' : stripe_status,
    plan_name: plan?.name ?? null,
    cancel_at: row.cancel_at?.toISOString() ?? null,
    grace_ends_at: graceEndsAt(row)?.toISOString() ?? null,
  }
}

/** What was sold at a price that is none of ours has no limits that we could know. */
const limitsOf = (plan: ConfiguredPlan | undefined): Limits =>
  plan ? { servers: plan.servers, members: plan.members, retention_days: plan.retention_days } : unlimited

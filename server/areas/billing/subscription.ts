import type { z } from 'zod'
import type { subscription } from '../../../contract/billing.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { countUsage } from '../workspaces/plan-limits.ts'
import {
  findConfiguredPlan,
  readPlanAccess,
  type PlanAccess,
  isBillingOn,
} from '../workspaces/plan-access.ts'
import { graceEndsAt } from '../workspaces/subscription-status.ts'
import { findSubscription, isSyncDue, requestBillingSync, type SubscriptionRow } from './store.ts'
import { isLiveSubscription } from '../workspaces/subscription-status.ts'

type Subscription = z.input<typeof subscription>

/** Returns the stored subscription, which is null while billing is off, and queues a sync if it may be outdated. */
export async function getSubscription(ctx: Context, { workspace: { id } }: Actor) {
  if (isBillingOn(ctx.config) && (await isSyncDue(ctx.db, id, ctx.now())))
    await requestBillingSync(ctx, ctx.db, id)
  const access = await readPlanAccess(ctx, ctx.db, id)
  return {
    subscription: toSubscription(ctx, await findSubscription(ctx.db, id), access),
    on_trial: access.onTrial,
    trial_ends_at: access.trialEndsAt?.toISOString() ?? null,
    limits: access.limits,
    usage: await countUsage(ctx.db, id),
  }
}

export const presentSubscription = async (ctx: Context, row: SubscriptionRow): Promise<Subscription | null> =>
  toSubscription(ctx, row, await readPlanAccess(ctx, ctx.db, row.workspace_id))

function toSubscription(
  ctx: Context,
  row: SubscriptionRow | undefined,
  access: PlanAccess,
): Subscription | null {
  const shown = access.subscription
  if (!row || !shown) return null
  const plan = findConfiguredPlan(ctx.config, row.plan_id)
  const renews = isLiveSubscription(row) && !row.cancel_at
  return {
    plan: plan ? { id: plan.id, name: plan.name } : null,
    stripe_status: shown.stripe_status,
    status: shown.status,
    amount: row.amount,
    currency: row.currency,
    interval: row.interval,
    interval_count: row.interval_count,
    renews_at: renews ? toIso(row.period_ends_at) : null,
    cancel_at: toIso(row.cancel_at),
    trial_ends_at: toIso(row.trial_ends_at),
    payment_failed_at: toIso(row.past_due_since),
    grace_ends_at: toIso(graceEndsAt(row)),
    pay_url: row.pay_url,
    amount_due: row.owed_amount,
    pending_change: pendingChange(ctx, row),
  }
}

function pendingChange({ config }: Context, row: SubscriptionRow): Subscription['pending_change'] {
  if (!row.held_url) return null
  const plan = findConfiguredPlan(config, row.held_plan_id)
  return {
    plan: plan ? { id: plan.id, name: plan.name } : null,
    url: row.held_url,
    until: toIso(row.held_until),
  }
}

const toIso = (at: Date | null) => at?.toISOString() ?? null

import type { z } from 'zod'
import type { subscription } from '../../../contract/billing.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { countUsage } from '../workspaces/plan.ts'
import { graceEndsAt, planOf, readStanding, type Standing } from '../workspaces/standing.ts'
import { requestSync } from './request-sync.ts'
import { isLive } from './status.ts'
import { findSubscription, isOverdue, type SubscriptionRow } from './store.ts'
import { mustBeOn } from './stripe.ts'

type Subscription = z.input<typeof subscription>

/** Returns the stored subscription and queues a sync if it may be outdated. */
export async function getSubscription(ctx: Context, { workspace: { id } }: Actor) {
  mustBeOn(ctx)
  if (await isOverdue(ctx.db, id, ctx.now())) await requestSync(ctx, ctx.db, id)
  const standing = await readStanding(ctx, ctx.db, id)
  return {
    subscription: present(ctx, await findSubscription(ctx.db, id), standing),
    on_trial: standing.onTrial,
    trial_ends_at: standing.trialEndsAt?.toISOString() ?? null,
    limits: standing.limits,
    usage: await countUsage(ctx.db, id),
  }
}

export const presentSubscription = async (ctx: Context, row: SubscriptionRow): Promise<Subscription | null> =>
  present(ctx, row, await readStanding(ctx, ctx.db, row.workspace_id))

function present(ctx: Context, row: SubscriptionRow | undefined, standing: Standing): Subscription | null {
  const shown = standing.subscription
  if (!row || !shown) return null
  const plan = planOf(ctx.config, row.plan_id)
  const renews = isLive(row) && !row.cancel_at
  return {
    plan: plan ? { id: plan.id, name: plan.name } : null,
    stripe_status: shown.stripe_status,
    status: shown.status,
    amount: row.amount,
    currency: row.currency,
    interval: row.interval,
    interval_count: row.interval_count,
    renews_at: renews ? said(row.period_ends_at) : null,
    cancel_at: said(row.cancel_at),
    trial_ends_at: said(row.trial_ends_at),
    payment_failed_at: said(row.past_due_since),
    grace_ends_at: said(graceEndsAt(row)),
    pay_url: row.pay_url,
    amount_due: row.owed_amount,
    pending_change: pendingChange(ctx, row),
  }
}

function pendingChange({ config }: Context, row: SubscriptionRow): Subscription['pending_change'] {
  if (!row.held_url) return null
  const plan = planOf(config, row.held_plan_id)
  return {
    plan: plan ? { id: plan.id, name: plan.name } : null,
    url: row.held_url,
    until: said(row.held_until),
  }
}

const said = (at: Date | null) => at?.toISOString() ?? null

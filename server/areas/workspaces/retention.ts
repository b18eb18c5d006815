import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { isBillingOn, findConfiguredPlan } from './plan-access.ts'
import { listPlanAccessRows } from './store.ts'

/** Retention in days for data recorded since a point in time. */
interface Retention {
  workspaceId: Id<'workspace'>
  since: Date
  days: number
}

/**
 * Retention per workspace with a limited plan. Data recorded under a previous plan keeps the retention of that plan, also after it has ended.
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

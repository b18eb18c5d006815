import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { isPaidFor, planOf } from './standing.ts'
import { listStandings } from './store.ts'

/** What was recorded in a workspace since then is kept for so many days. */
interface Retention {
  workspaceId: Id<'workspace'>
  since: Date
  days: number
}

/**
 * Of those whose plan says how long. What was recorded under the plan before was promised to be kept as long as that
 * one said; and whose plan has ended, keeps to it.
 */
export async function listRetentions(ctx: Context): Promise<Retention[]> {
  if (!isPaidFor(ctx.config)) return []
  const rows = await listStandings(ctx.db)
  return rows.flatMap((row) => {
    const subscribed = row.stripe_status !== null
    const plan = subscribed ? planOf(ctx.config, row.plan_id) : ctx.config.PLANS?.[0]
    const since = subscribed ? row.plan_since : row.begun_at
    if (!since || !plan || plan.retention_days === null) return []
    return [{ workspaceId: row.id, since, days: plan.retention_days }]
  })
}

import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Problem } from '../../errors.ts'
import type { Db, Trx } from '../../tables.ts'
import { choosePlanUrl } from './plan.ts'
import { isBillingOn, readPlanAccess } from './plan-access.ts'
import { countMembers, countServers, lockWorkspace } from './store.ts'
import { noPlan, planLimit } from './workspace-errors.ts'

type LimitedResource = 'servers' | 'members'

/**
 * Checks a plan limit before something is added. The workspace is locked, so that concurrent requests cannot exceed the
 * limit.
 */
export async function assertPlanLimit(
  ctx: Context,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  resource: LimitedResource,
): Promise<void> {
  const problem = await findPlanLimitProblem(ctx, trx, workspaceId, resource)
  if (problem) throw problem
}

export async function findPlanLimitProblem(
  ctx: Context,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  resource: LimitedResource,
): Promise<Problem | undefined> {
  if (!isBillingOn(ctx.config)) return undefined
  await lockWorkspace(trx, workspaceId)
  const access = await readPlanAccess(ctx, trx, workspaceId)
  const url = choosePlanUrl(ctx.config, workspaceId)
  if (!access.allowed) return noPlan(url, access)
  const most = access.limits[resource]
  if (most === null) return undefined
  const { [resource]: used } = await countUsage(trx, workspaceId)
  return used < most ? undefined : planLimit(url, access.plan, resource, most, used)
}

export const countUsage = async (
  db: Db,
  workspaceId: Id<'workspace'>,
): Promise<Record<LimitedResource, number>> => ({
  servers: await countServers(db, workspaceId),
  members: await countMembers(db, workspaceId),
})

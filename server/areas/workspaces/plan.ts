import type { Id } from '../../../contract/shared/ids.ts'
import type { Role } from '../../../contract/shared/permissions.ts'
import type { Context } from '../../context.ts'
import type { Problem } from '../../errors.ts'
import type { Db, Trx } from '../../tables.ts'
import { choosePlanUrl } from './links.ts'
import { noPlan, planLimit } from './refusals.ts'
import { isPaidFor, readStanding } from './standing.ts'
import { countMembers, countServers, lockWorkspace } from './store.ts'

type Limited = 'servers' | 'members'

/** Required for all changes, deployments and commands. */
export async function mustHavePlan(
  ctx: Context,
  { id, role }: { id: Id<'workspace'>; role: Role },
): Promise<void> {
  const standing = await readStanding(ctx, ctx.db, id)
  if (!standing.allowed) throw noPlan(choosePlanUrl(ctx.config, id), standing, role)
}

/** Checks a plan limit before something is added. Locks the workspace, so that concurrent requests cannot exceed the limit. */
export async function mustFit(
  ctx: Context,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  what: Limited,
): Promise<void> {
  const why = await whyNotFit(ctx, trx, workspaceId, what)
  if (why) throw why
}

export async function whyNotFit(
  ctx: Context,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  what: Limited,
): Promise<Problem | undefined> {
  if (!isPaidFor(ctx.config)) return undefined
  await lockWorkspace(trx, workspaceId)
  const standing = await readStanding(ctx, trx, workspaceId)
  const url = choosePlanUrl(ctx.config, workspaceId)
  if (!standing.allowed) return noPlan(url, standing)
  const most = standing.limits[what]
  if (most === null) return undefined
  const { [what]: used } = await countUsage(trx, workspaceId)
  return used < most ? undefined : planLimit(url, standing.plan, what, most, used)
}

export const countUsage = async (db: Db, workspaceId: Id<'workspace'>): Promise<Record<Limited, number>> => ({
  servers: await countServers(db, workspaceId),
  members: await countMembers(db, workspaceId),
})

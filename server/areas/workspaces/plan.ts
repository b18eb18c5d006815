import type { Id } from '../../../contract/shared/ids.ts'
import type { Role } from '../../../contract/shared/permissions.ts'
import type { Context } from '../../context.ts'
import { noPlan } from './workspace-errors.ts'
import { readPlanAccess } from './plan-access.ts'
import type { Config } from '../../config.ts'

/** Throws without a plan, which all changes, deployments and commands require. */
export async function assertPlan(
  ctx: Context,
  { id, role }: { id: Id<'workspace'>; role: Role },
): Promise<void> {
  const access = await readPlanAccess(ctx, ctx.db, id)
  if (!access.allowed) throw noPlan(choosePlanUrl(ctx.config, id), access, role)
}

type UrlConfig = Pick<Config, 'PUBLIC_URL'>

/** Returns a console URL that switches the user to this workspace. */
export function workspaceUrl(link: string, workspaceId: Id<'workspace'>): string {
  const url = new URL(link)
  url.searchParams.set('workspace', workspaceId)
  return url.href
}

export const billingUrl = ({ PUBLIC_URL }: UrlConfig) => `${PUBLIC_URL}/dashboard/billing`

export const choosePlanUrl = (here: UrlConfig, workspaceId: Id<'workspace'>) =>
  workspaceUrl(`${billingUrl(here)}/choose-plan`, workspaceId)

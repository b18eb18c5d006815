import { type Endpoint, needsPlan } from '../../contract/endpoint.ts'
import type { TargetNames } from '../areas/api-tokens/token-limit.ts'
import { authenticateHash } from '../areas/auth/authenticate.ts'
import { readPlanAccess } from '../areas/workspaces/plan-access.ts'
import type { Context } from '../context.ts'
import { Problem } from '../errors.ts'
import { workspaceLocked } from '../areas/auth/locked-errors.ts'
import { type SocketHandler, hasPermission, type User, type Anonymous } from '../route.ts'
import { assertTokenReach } from './authorize.ts'

/** Returns why the caller lost access, or undefined. An unreachable database does not end access. */
export async function accessLossReason(
  ctx: Context,
  endpoint: Endpoint,
  caller: Anonymous | User,
  named: TargetNames,
  mayStay: SocketHandler<never>['isStillAllowed'] = () => true,
): Promise<string | undefined> {
  if (!('tokenHash' in caller)) return undefined
  try {
    const { workspace, via, isInstanceOwner } = await authenticateHash(ctx, caller.tokenHash)
    if (endpoint.access === 'public' || endpoint.access === 'user') return undefined
    if (endpoint.access === 'instance')
      return isInstanceOwner ? undefined : 'You are no longer an instance owner.'
    if (workspace?.id !== caller.workspace?.id) return 'You left this workspace.'
    const now = { workspace, via, isInstanceOwner }
    if (!workspace || !hasPermission({ workspace, via }, endpoint.access) || !mayStay({ ...now, workspace }))
      return 'Your role no longer allows this.'
    if (workspace.locked && !endpoint.whileLocked) return workspaceLocked().message
    if (!(await tokenStillReaches(ctx, endpoint, { workspace, via }, named)))
      return 'Your API token no longer has access to this.'
    if (needsPlan(endpoint) && !(await readPlanAccess(ctx, ctx.db, workspace.id)).allowed)
      return 'This workspace no longer has a plan.'
    return undefined
  } catch (error) {
    return error instanceof Problem ? 'Your session has ended. Please log in again.' : undefined
  }
}

/** An application may have left the project that a token is limited to. */
async function tokenStillReaches(
  ctx: Context,
  endpoint: Endpoint,
  person: Pick<User, 'via' | 'workspace'>,
  named: TargetNames,
): Promise<boolean> {
  try {
    await assertTokenReach(ctx, endpoint, person, named)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

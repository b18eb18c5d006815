import { type Endpoint, needsPlan } from '../../contract/endpoint.ts'
import type { Named } from '../areas/api-tokens/token-limit.ts'
import { authenticateHash } from '../areas/auth/authenticate.ts'
import { readStanding } from '../areas/workspaces/standing.ts'
import type { Context } from '../context.ts'
import { Problem } from '../errors.ts'
import { workspaceLocked } from '../areas/auth/locked.ts'
import { type Conversation, holds, type Person, type Visitor } from '../route.ts'
import { mustReach } from './authorise.ts'

/** Why somebody has to go, or nothing when they may stay. While the database is away nobody is sent away. */
export async function whyNot(
  ctx: Context,
  endpoint: Endpoint,
  caller: Visitor | Person,
  named: Named,
  mayStay: Conversation<never>['mayStay'] = () => true,
): Promise<string | undefined> {
  if (!('tokenHash' in caller)) return undefined
  try {
    const { workspace, via, isInstanceOwner } = await authenticateHash(ctx, caller.tokenHash)
    if (endpoint.access === 'public' || endpoint.access === 'user') return undefined
    if (endpoint.access === 'instance')
      return isInstanceOwner ? undefined : 'You are not an instance owner any longer.'
    if (workspace?.id !== caller.workspace?.id) return 'You do not work in this workspace any longer.'
    const now = { workspace, via, isInstanceOwner }
    if (!workspace || !holds({ workspace, via }, endpoint.access) || !mayStay({ ...now, workspace }))
      return 'Your role does not allow this any longer.'
    if (workspace.locked && !endpoint.whileLocked) return workspaceLocked().message
    if (!(await stillReaches(ctx, endpoint, { workspace, via }, named)))
      return 'Your API token does not reach this any longer.'
    if (needsPlan(endpoint) && !(await readStanding(ctx, ctx.db, workspace.id)).allowed)
      return 'This workspace has no plan any longer.'
    return undefined
  } catch (error) {
    return error instanceof Problem ? 'Your session has ended. Please log in again.' : undefined
  }
}

/** An application may have been taken out of the project that a token is limited to. */
async function stillReaches(
  ctx: Context,
  endpoint: Endpoint,
  person: Pick<Person, 'via' | 'workspace'>,
  named: Named,
): Promise<boolean> {
  try {
    await mustReach(ctx, endpoint, person, named)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

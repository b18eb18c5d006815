import type { FastifyRequest } from 'fastify'
import { type Endpoint, needsPlan, needsSession } from '../../contract/endpoint.ts'
import {
  type Permission,
  permissions,
  permissionScopes,
  type Role,
  roleAllows,
  roleAllowsInWorkspace,
  scopeIncludes,
} from '../../contract/shared/permissions.ts'
import { recordExpiredUse } from '../areas/api-tokens/expired-use.ts'
import {
  scopeTooNarrow,
  tokenLimited,
  isRequestWithinLimit,
  type TargetNames,
} from '../areas/api-tokens/token-limit.ts'
import { authenticate, authenticateHash } from '../areas/auth/authenticate.ts'
import { consumeTicket } from '../areas/auth/session.ts'
import { assertPlan } from '../areas/workspaces/plan.ts'
import type { Context } from '../context.ts'
import { forbidden, noWorkspace, Problem, sessionNeeded, unauthenticated } from '../errors.ts'
import { workspaceLocked, readPlanAccess } from '../areas/workspaces/plan-access.ts'
import { type Anonymous, getTokenLimit, hasPermission, type SocketHandler, type User } from '../route.ts'

/** Authenticates a request and checks the role (RBAC), the token’s scope and the plan that its endpoint requires. */
export async function authorizeRequest(
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Anonymous | User> {
  const anonymous: Anonymous = {
    address: request.ip,
    agent: (request.headers['user-agent'] ?? '').slice(0, 300),
    cookie: (name) => readCookie(request.headers.cookie, name),
  }
  if (endpoint.access === 'public') return anonymous
  const person: User = { ...anonymous, ...(await identify(ctx, endpoint, request, anonymous)) }
  if (needsSession(endpoint) && person.via.kind !== 'session') throw sessionNeeded()
  if (endpoint.access === 'instance') return assertInstanceOwner(person)
  if (endpoint.access !== 'user') assertPermission(person, endpoint, endpoint.access)
  await assertTokenReach(ctx, endpoint, person, request)
  if (person.workspace && needsPlan(endpoint)) await assertPlan(ctx, person.workspace)
  return person
}

function assertInstanceOwner(person: User): User {
  if (!person.isInstanceOwner) throw forbidden('Only instance owners can perform this action.')
  return person
}

const requiredRole = (role: Role) => `The required role is ${role}${role === 'owner' ? '' : ' or higher'}.`

/** The role is checked first: a wider scope would not help a token whose owner lacks the role. */
function assertPermission({ workspace, via }: User, { whileLocked }: Endpoint, permission: Permission): void {
  if (!workspace) throw noWorkspace()
  if (!roleAllows(workspace.role, permission))
    throw forbidden(
      `Your role (${workspace.role}) does not allow this action. ${requiredRole(permissions[permission].role)}`,
    )
  if (!roleAllowsInWorkspace(workspace, permission))
    throw forbidden('This workspace limits terminals and commands in containers to admins.')
  if (via.kind === 'api_token' && !scopeIncludes(via.scope, permission))
    throw scopeTooNarrow(via.scope, permissionScopes[permission])
  if (workspace.locked && !whileLocked) throw workspaceLocked()
}

export async function assertTokenReach(
  ctx: Context,
  endpoint: Endpoint,
  person: Pick<User, 'via' | 'workspace'>,
  named: TargetNames,
): Promise<void> {
  const limit = getTokenLimit(person)
  if (!limit) return
  const { workspace } = person
  if (!workspace || !(await isRequestWithinLimit(ctx.db, limit, workspace.id, endpoint.resource, named)))
    throw tokenLimited()
}

/**
 * Authenticates by header or, where a browser cannot set headers, by a ticket in the query. CSRF is not possible: no
 * cookie authenticates, and other sites cannot set the header.
 */
async function identify(ctx: Context, endpoint: Endpoint, request: FastifyRequest, anonymous: Anonymous) {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() === 'bearer' && token)
    return authenticate(ctx, token).catch((error: unknown) => {
      recordExpiredUse(ctx, token, anonymous).catch((failure: unknown) =>
        ctx.log.warn({ reason: String(failure) }, 'Failed to record the use of an expired API token'),
      )
      throw error
    })
  const credential = takesTicket(endpoint) ? queryToken(request.query) : undefined
  if (!credential) throw unauthenticated()
  const tokenHash = await consumeTicket(ctx, credential, request.url.split('?')[0] ?? '')
  if (tokenHash) return authenticateHash(ctx, tokenHash)
  if (!endpoint.sessionInQuery) throw unauthenticated()
  // URLs end up in logs and histories, so long-lived API tokens are not accepted there.
  const user = await authenticate(ctx, credential)
  if (user.via.kind !== 'session') throw unauthenticated()
  return user
}

const takesTicket = ({ kind, query }: Endpoint) =>
  kind === 'events' || kind === 'socket' || (kind === 'file' && query?.shape['token'] !== undefined)

const queryToken = (query: unknown) =>
  typeof query === 'object' && query !== null && 'token' in query && typeof query.token === 'string'
    ? query.token
    : undefined

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [key, ...value] = pair.trim().split('=')
    if (key === name) return value.join('=')
  }
  return undefined
}

/** Returns why the caller lost access, or undefined. A database that is unreachable does not end access. */
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
      return 'Your role no longer gives you access.'
    if (workspace.locked && !endpoint.whileLocked) return workspaceLocked().message
    if (!(await tokenStillReaches(ctx, endpoint, { workspace, via }, named)))
      return 'Your API token no longer has access.'
    if (needsPlan(endpoint) && !(await readPlanAccess(ctx, ctx.db, workspace.id)).allowed)
      return 'This workspace no longer has a plan.'
    return undefined
  } catch (error) {
    return error instanceof Problem ? 'Your session has ended. Please log in again.' : undefined
  }
}

/** Checks the limit again, because an application may have left the project that the token is limited to. */
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

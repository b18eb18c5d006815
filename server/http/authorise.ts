import type { FastifyRequest } from 'fastify'
import { type Endpoint, needsPlan } from '../../contract/endpoint.ts'
import { may, permissions } from '../../contract/permissions.ts'
import { recordExpiredUse } from '../areas/api-tokens/expired-use.ts'
import { authenticate, authenticateHash } from '../areas/auth/authenticate.ts'
import { takeTicket } from '../areas/auth/ticket.ts'
import { mustHavePlan } from '../areas/workspaces/plan.ts'
import type { Context } from '../context.ts'
import { forbidden, noWorkspace, sessionNeeded, unauthenticated, workspaceLocked } from '../errors.ts'
import type { Person, Visitor } from '../route.ts'
import { cookieOf } from './cookies.ts'

/** Who calls, once it is sure that they may. */
export async function authorise(
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Visitor | Person> {
  const visitor: Visitor = {
    address: request.ip,
    agent: (request.headers['user-agent'] ?? '').slice(0, 300),
    cookie: (name) => cookieOf(request.headers.cookie, name),
  }
  if (endpoint.access === 'public') return visitor
  const person: Person = { ...visitor, ...(await identify(ctx, endpoint, request, visitor)) }
  if (endpoint.session && person.via.kind !== 'session') throw sessionNeeded()
  if (endpoint.access === 'instance') return mustOwnInstance(person)
  if (endpoint.access === 'user') return person
  if (!person.workspace) throw noWorkspace()
  if (!may(person.workspace.role, endpoint.access))
    throw forbidden(
      `Your role, ${person.workspace.role}, does not allow this: ${permissions[endpoint.access].says.toLowerCase()}.`,
    )
  if (person.workspace.locked && !endpoint.whileLocked) throw workspaceLocked()
  if (needsPlan(endpoint)) await mustHavePlan(ctx, person.workspace)
  return person
}

/** An API token never carries the rights of the operator, whoever created it. */
function mustOwnInstance(person: Person): Person {
  if (person.via.kind !== 'session') throw sessionNeeded()
  if (!person.isInstanceOwner)
    throw forbidden('Only instance owners can do this. Ask the operator of this Slipway.')
  return person
}

/** By the header; where a browser cannot set one, as on streams, by a ticket or a token in the query. */
async function identify(ctx: Context, endpoint: Endpoint, request: FastifyRequest, visitor: Visitor) {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() === 'bearer' && token)
    return authenticate(ctx, token).catch((error: unknown) => {
      recordExpiredUse(ctx, token, visitor).catch((failure: unknown) =>
        ctx.log.warn({ why: String(failure) }, 'Could not record the use of an expired API token.'),
      )
      throw error
    })
  const given = takesToken(endpoint) ? queryToken(request.query) : undefined
  if (!given) throw unauthenticated()
  const held = await takeTicket(ctx, given)
  return held ? authenticateHash(ctx, held) : authenticate(ctx, given)
}

const takesToken = ({ kind, query }: Endpoint) =>
  kind === 'events' || kind === 'socket' || (kind === 'file' && query?.shape['token'] !== undefined)

const queryToken = (query: unknown) =>
  typeof query === 'object' && query !== null && 'token' in query && typeof query.token === 'string'
    ? query.token
    : undefined

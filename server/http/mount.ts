import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { api } from '../../contract/api.ts'
import { type Endpoint, maxBodyBytes } from '../../contract/endpoint.ts'
import { permissions } from '../../contract/shared/permissions.ts'
import type { Context } from '../context.ts'
import {
  ReplyWithHeaders,
  type LiveEvent,
  type User,
  type RawBody,
  type Request,
  type Route,
  type Anonymous,
} from '../route.ts'
import { authorizeRequest } from './authorize.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { parseInput } from './parse.ts'
import { createRawBodies } from './raw-body.ts'
import { sendScriptProblem, SCRIPT } from './script-problems.ts'
import { sendEvents } from './sse.ts'
import { accessLossReason } from './recheck-access.ts'

/** Mounts every endpoint of the contract; refuses to start when one has no handler, two, or no permission. */
export function mount(
  app: FastifyInstance,
  ctx: Context,
  routes: Route[],
  mountSocket: (route: Route) => void,
): void {
  const withRawBody = createRawBodies()
  const handlers = new Map<string, Route>()
  for (const route of routes) {
    if (handlers.has(route.endpoint.key)) throw new Error(`${route.endpoint.key} has two handlers.`)
    handlers.set(route.endpoint.key, route)
  }
  for (const endpoint of api) {
    const route = handlers.get(endpoint.key)
    if (!route) throw new Error(`${endpoint.key} has no handler.`)
    if (
      !['public', 'user', 'instance'].includes(endpoint.access) &&
      !Object.hasOwn(permissions, endpoint.access)
    )
      throw new Error(`${endpoint.key} asks for a permission that does not exist.`)
    if (endpoint.kind === 'socket') {
      mountSocket(route)
      continue
    }
    const add = endpoint.raw ? addRaw : addTo
    add(app, {
      method: endpoint.method,
      url: pathOf(endpoint),
      // A head of a stream would be open for ever, and that of a file would have all of it read for nothing.
      exposeHeadRoute: endpoint.kind !== 'events' && endpoint.kind !== 'file',
      bodyLimit: maxBodyBytes(endpoint),
      // Before the body is read: who may not call costs no more than their headers.
      preParsing: async (request) =>
        void callers.set(request, await authorizeRequest(ctx, endpoint, request)),
      config: endpoint.limit ? { rateLimit: { max: endpoint.limit, timeWindow: 60_000 } } : {},
      handler: (request, reply) =>
        endpoint.raw
          ? withRawBody(request, (raw) => serve(ctx, route, request, reply, raw))
          : serve(ctx, route, request, reply),
      ...(endpoint.type === SCRIPT ? { errorHandler: sendScriptProblem(ctx.log) } : {}),
    })
  }
}

const addTo = (app: FastifyInstance, options: RouteOptions) => void app.route(options)

/** Nothing reads its body on the way: whoever signed it signed the bytes, and who did not sign is not read at all. */
function addRaw(app: FastifyInstance, options: RouteOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_, body, done) => done(null, body))
    scope.route(options)
  })
}

const lastParam = /\{(\w+)\}$/

/** As the router writes it. */
const pathOf = ({ path, rest }: Endpoint) =>
  (rest ? path.replace(lastParam, '*') : path).replace(/\{(\w+)\}/g, ':$1')

function paramsOf({ path, rest }: Endpoint, params: unknown): unknown {
  if (!rest) return params
  const { '*': last, ...others } = Object(params)
  return { ...others, [lastParam.exec(path)?.[1] ?? '']: last }
}

/** Keyed by request: Fastify passes nothing else from one hook to the next. */
const callers = new WeakMap<FastifyRequest, Anonymous | User>()

function callerOf({ key }: Endpoint, request: FastifyRequest): Anonymous | User {
  const caller = callers.get(request)
  if (!caller) throw new Error(`${key} was reached without a check of the caller.`)
  return caller
}

async function serve(
  ctx: Context,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  raw?: RawBody,
) {
  const { endpoint } = route
  const caller = callerOf(endpoint, request)
  const given = {
    caller,
    params: parseInput(endpoint.params, paramsOf(endpoint, request.params)),
    query: parseInput(endpoint.query, request.query),
    body: endpoint.raw ? undefined : parseInput(endpoint.body, request.body),
    raw,
    signal: abortOnDisconnect(endpoint, reply),
    lastEventId: lastEventId(request),
  } as Request<Endpoint>

  if (endpoint.kind === 'events') {
    // Nobody is there any more to be told anything.
    if (given.signal.aborted) return reply.hijack()
    const alive = async () => (await accessLossReason(ctx, endpoint, caller, request)) === undefined
    endOnAccessLoss(ctx, reply, alive)
    return sendEvents(
      reply,
      await withFirstEvent(route.handle(ctx, given) as AsyncIterable<LiveEvent<unknown>>),
      alive,
    )
  }
  const work = async () => route.handle(ctx, given)
  const result = endpoint.idempotent
    ? await withIdempotencyKey(ctx, endpoint, request, caller, work)
    : await work()
  if (endpoint.method !== 'GET') ctx.accessCache.clear()
  reply.code(endpoint.status ?? 200)
  if (result instanceof ReplyWithHeaders) reply.headers(result.headers)
  if (endpoint.kind === 'file' && result instanceof ReplyWithHeaders)
    return reply.send(Readable.from(result.body))
  // Fields that the schema does not name are not sent.
  const body: unknown = endpoint.reply.parse(result instanceof ReplyWithHeaders ? result.body : result)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** A change of who may do what is told by the database; a stream does not go on until its next beat. */
function endOnAccessLoss({ bus }: Context, { raw }: FastifyReply, alive: () => Promise<boolean>): void {
  const end = () => void raw.destroy()
  const stop = bus.on('access', () => void alive().then((may) => may || end(), end))
  raw.once('close', stop)
}

/** With its first event at hand: what is not there, or not for this caller, is an answer and no stream. */
async function withFirstEvent<T>(events: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const rest = events[Symbol.asyncIterator]()
  const first = await rest.next()
  return (async function* () {
    try {
      if (first.done) return
      yield first.value
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
    } finally {
      await rest.return?.()
    }
  })()
}

/** Only a stream outlives its first byte; for all else it is not worth a listener. */
function abortOnDisconnect(endpoint: Endpoint, reply: FastifyReply): AbortSignal {
  if (endpoint.kind !== 'events') return never
  const controller = new AbortController()
  // Who left while they were looked up says no second goodbye.
  if (reply.raw.destroyed) controller.abort()
  else reply.raw.once('close', () => controller.abort())
  return controller.signal
}

const never = new AbortController().signal

/** A browser sends the header only when it reconnects by itself; whoever opens a new stream has the query alone. */
const lastEventId = ({ headers, query }: FastifyRequest) => {
  const id = headers['last-event-id'] ?? Object(query).last_event_id
  return typeof id === 'string' && id !== '' ? id.slice(0, 2_000) : undefined
}

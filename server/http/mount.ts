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
import { accessLossReason, authorizeRequest } from './authorize.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { parseInput } from './parse.ts'
import { createRawBodies } from './request-body.ts'
import { SCRIPT, sendScriptProblem } from './problems.ts'
import { sendEvents } from './sse.ts'

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
      throw new Error(`${endpoint.key} requires a permission that does not exist.`)
    if (endpoint.kind === 'socket') {
      mountSocket(route)
      continue
    }
    const add = endpoint.raw ? addRaw : addTo
    add(app, {
      method: endpoint.method,
      url: toRoutePath(endpoint),
      // A HEAD request would keep a stream open, or read a whole file for nothing.
      exposeHeadRoute: endpoint.kind !== 'events' && endpoint.kind !== 'file',
      bodyLimit: maxBodyBytes(endpoint),
      // Authorization precedes reading the body, so that refused requests are cheap.
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

/** Leaves the body unread: signatures cover the raw bytes, and unsigned requests are not read at all. */
function addRaw(app: FastifyInstance, options: RouteOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_, body, done) => done(null, body))
    scope.route(options)
  })
}

const lastParam = /\{(\w+)\}$/

const toRoutePath = ({ path, rest }: Endpoint) =>
  (rest ? path.replace(lastParam, '*') : path).replace(/\{(\w+)\}/g, ':$1')

function readParams({ path, rest }: Endpoint, params: unknown): unknown {
  if (!rest) return params
  const { '*': last, ...others } = Object(params)
  return { ...others, [lastParam.exec(path)?.[1] ?? '']: last }
}

/** Callers by request, because Fastify passes nothing else from one hook to the next. */
const callers = new WeakMap<FastifyRequest, Anonymous | User>()

function getCaller({ key }: Endpoint, request: FastifyRequest): Anonymous | User {
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
  const caller = getCaller(endpoint, request)
  const input = {
    caller,
    params: parseInput(endpoint.params, readParams(endpoint, request.params)),
    query: parseInput(endpoint.query, request.query),
    body: endpoint.raw ? undefined : parseInput(endpoint.body, request.body),
    raw,
    signal: abortOnDisconnect(endpoint, reply),
    lastEventId: lastEventId(request),
  } as Request<Endpoint>

  if (endpoint.kind === 'events') {
    if (input.signal.aborted) return reply.hijack()
    const alive = async () => (await accessLossReason(ctx, endpoint, caller, request)) === undefined
    endOnAccessLoss(ctx, reply, alive)
    return sendEvents(
      reply,
      await withFirstEvent(route.handle(ctx, input) as AsyncIterable<LiveEvent<unknown>>),
      alive,
    )
  }
  const work = async () => route.handle(ctx, input)
  const result = endpoint.idempotent
    ? await withIdempotencyKey(ctx, endpoint, request, caller, work)
    : await work()
  if (endpoint.method !== 'GET') ctx.accessCache.clear()
  reply.code(endpoint.status ?? 200)
  if (result instanceof ReplyWithHeaders) reply.headers(result.headers)
  if (endpoint.kind === 'file' && result instanceof ReplyWithHeaders)
    return reply.send(Readable.from(result.body))
  // The schema drops fields that it does not declare.
  const body: unknown = endpoint.reply.parse(result instanceof ReplyWithHeaders ? result.body : result)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** Ends a stream when the database announces that the caller lost access, without waiting for the next heartbeat. */
function endOnAccessLoss({ bus }: Context, { raw }: FastifyReply, alive: () => Promise<boolean>): void {
  const end = () => void raw.destroy()
  const stop = bus.on('access', () => void alive().then((may) => may || end(), end))
  raw.once('close', stop)
}

/** Waits for the first event, so that missing objects and permissions become an error response. */
async function withFirstEvent<T>(events: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = events[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      if (first.done) return
      yield first.value
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  })()
}

/** Aborts a stream when the client disconnects. Other responses end by themselves and need no listener. */
function abortOnDisconnect(endpoint: Endpoint, reply: FastifyReply): AbortSignal {
  if (endpoint.kind !== 'events') return never
  const controller = new AbortController()
  // The client may have disconnected during authorization.
  if (reply.raw.destroyed) controller.abort()
  else reply.raw.once('close', () => controller.abort())
  return controller.signal
}

const never = new AbortController().signal

/**
 * Returns the event after which a stream resumes. Browsers send the header only on automatic reconnects, so new streams
 * pass the query parameter.
 */
const lastEventId = ({ headers, query }: FastifyRequest) => {
  const id = headers['last-event-id'] ?? Object(query).last_event_id
  return typeof id === 'string' && id !== '' ? id.slice(0, 2_000) : undefined
}

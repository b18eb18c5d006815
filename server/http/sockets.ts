import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import { upgradeNeeded, originNotAllowed } from '../errors.ts'
import type { SocketHandler, User, Request, Route, Anonymous } from '../route.ts'
import { authorizeRequest } from './authorize.ts'
import { errorCode } from '../platform/db.ts'
import { parseInput } from './parse.ts'
import { createSocket } from './socket.ts'
import { accessLossReason } from './recheck-access.ts'
import { type IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'

const mostBytes = 131_072
/** How long a socket may take to say goodbye when we stop. */
const patience = 1_000
const restarting = 1012
const failed = 1011

interface Held {
  ws: WebSocket
  /** Ends it when whoever opened it may not be here any longer. */
  check: () => void
}

/** Gets the app ready for web sockets; what it gives back mounts one. */
export async function registerSockets(app: FastifyInstance, ctx: Context, beatMilliseconds = 15_000) {
  const paths: RegExp[] = []
  const held = new Set<Held>()
  const silent = new WeakSet<WebSocket>()
  const checkAll = () => held.forEach(({ check }) => check())
  const stopHearing = [ctx.bus.on('access', checkAll), ctx.bus.onReconnect(checkAll)]
  const beat = setInterval(() => {
    for (const { ws } of held) {
      if (silent.has(ws)) ws.terminate()
      silent.add(ws)
      ws.ping()
    }
    checkAll()
  }, beatMilliseconds)
  const fail = (error: unknown, ws: WebSocket) => {
    // Who does not keep to the protocol has been answered by the library.
    if (!errorCode(error)?.startsWith('WS_ERR_'))
      ctx.log.error({ error: String(error) }, 'A web socket failed.')
    ws.close(failed)
  }
  await app.register(websocket, {
    options: {
      server: createUpgradeGate(app.server, (path) => paths.some((one) => one.test(path))),
      maxPayload: mostBytes,
    },
    errorHandler: (error, ws) => fail(error, ws),
    async preClose() {
      clearInterval(beat)
      for (const stop of stopHearing) stop()
      await Promise.all([...held].map(({ ws }) => closeForRestart(ws)))
    },
  })

  return (route: Route) => {
    const { endpoint } = route
    const begun = new WeakMap<
      FastifyRequest,
      { caller: Anonymous | User; converse: SocketHandler<unknown> }
    >()
    paths.push(new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`))
    app.route({
      method: 'GET',
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: false,
      config: endpoint.limit ? { rateLimit: { max: endpoint.limit, timeWindow: 60_000 } } : {},
      // Who may not open it, and what is not there, is answered in plain HTTP.
      async preHandler(request, reply) {
        const caller = await authorizeRequest(ctx, endpoint, request)
        const given = {
          caller,
          params: parseInput(endpoint.params, request.params),
          query: parseInput(endpoint.query, request.query),
          body: parseInput(endpoint.body, request.body),
          signal: new AbortController().signal,
          lastEventId: undefined,
        } as Request<Endpoint>
        checkOrigin(ctx.config, request.headers.origin, request.host)
        // The type of `route` has seen to it that a handler of a socket gives a conversation.
        const converse = (await route.handle(ctx, given)) as SocketHandler<unknown>
        if (request.ws) begun.set(request, { caller, converse })
        else reply.header('upgrade', 'websocket')
      },
      handler: () => {
        throw upgradeNeeded()
      },
      async wsHandler(ws, request) {
        const known = begun.get(request)
        if (!known) return ws.terminate()
        const socket = createSocket(ws, endpoint.reply, (error) => fail(error, ws))
        const check = () =>
          void accessLossReason(ctx, endpoint, known.caller, request, known.converse.isStillAllowed)
            .then((why) => why !== undefined && socket.dismiss(why))
            .catch((error: unknown) => fail(error, ws))
        const one = { ws, check }
        held.add(one)
        ws.on('pong', () => silent.delete(ws)).once('close', () => held.delete(one))
        const conversation = known.converse(socket)
        // For what has changed since it was asked.
        check()
        await conversation
      },
    })
  }
}

function closeForRestart(ws: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => ws.terminate(), patience)
    ws.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    ws.close(restarting)
  })
}

/**
 * Once somebody listens to upgrades, Node asks them about every request that offers one, and some clients of HTTP/2
 * offer it with each. Only sockets are let through; all others are read once more, as the plain requests they are.
 */
function createUpgradeGate(server: Server, isSocket: (path: string) => boolean): Server {
  // It never listens: the plugin for sockets hears what is passed on to it, and nothing else.
  const gate = new Server()
  server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const wanted = request.headers.upgrade?.toLowerCase() === 'websocket' && request.method === 'GET'
    if (wanted && isSocket(path)) gate.emit('upgrade', request, socket, head)
    else serveAsPlainRequest(server, request, socket, head)
  })
  return gate
}

function serveAsPlainRequest(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer) {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2)
    if (!/^(upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

/** A browser says which page opens a socket: ours, or one that the operator has named. Programs say nothing. */
function checkOrigin(config: Config, origin: string | undefined, host: string): void {
  if (origin === undefined) return
  const named = config.CORS_ORIGINS?.split(',').map((one) => one.trim()) ?? []
  const own = [new URL(config.PUBLIC_URL).origin, `http://${host}`, `https://${host}`]
  if (![...own, ...named].includes(origin)) throw originNotAllowed(origin)
}

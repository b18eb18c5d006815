import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import { originNotAllowed, upgradeNeeded } from '../errors.ts'
import type { Anonymous, Request, Route, Socket, SocketHandler, User } from '../route.ts'
import { accessLossReason, authorizeRequest } from './authorize.ts'
import { errorCode } from '../platform/db.ts'
import { parseInput } from './parse.ts'
import { type IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import type { z } from 'zod'

const mostBytes = 131_072
const closeTimeout = 1_000
const restarting = 1012
const failed = 1011

export async function registerSockets(app: FastifyInstance, ctx: Context, beatMilliseconds = 15_000) {
  const paths: RegExp[] = []
  const held = new Set<{ ws: WebSocket; check: () => void }>()
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
    // The WebSocket library has already answered protocol violations.
    if (!errorCode(error)?.startsWith('WS_ERR_'))
      ctx.log.error({ reason: String(error) }, 'Failed to serve a WebSocket')
    ws.close(failed)
  }
  await app.register(websocket, {
    options: {
      server: createUpgradeGate(app.server, (path) => paths.some((pattern) => pattern.test(path))),
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
      // A request that is refused here gets a plain HTTP response.
      async preHandler(request, reply) {
        const caller = await authorizeRequest(ctx, endpoint, request)
        const input = {
          caller,
          params: parseInput(endpoint.params, request.params),
          query: parseInput(endpoint.query, request.query),
          body: parseInput(endpoint.body, request.body),
          signal: new AbortController().signal,
          lastEventId: undefined,
        } as Request<Endpoint>
        checkOrigin(ctx.config, request.headers.origin, request.host)
        // The type of `route` ensures that a socket handler returns a `SocketHandler`.
        const converse = (await route.handle(ctx, input)) as SocketHandler<unknown>
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
            .then((reason) => reason !== undefined && socket.dismiss(reason))
            .catch((error: unknown) => fail(error, ws))
        const connection = { ws, check }
        held.add(connection)
        ws.on('pong', () => silent.delete(ws)).once('close', () => held.delete(connection))
        const conversation = known.converse(socket)
        // Access may have changed since the request.
        check()
        await conversation
      },
    })
  }
}

function closeForRestart(ws: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => ws.terminate(), closeTimeout)
    ws.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    ws.close(restarting)
  })
}

/**
 * Passes only WebSocket requests on. A server with an upgrade listener receives every request that offers an upgrade,
 * as those of some HTTP/2 clients do.
 */
function createUpgradeGate(server: Server, isSocket: (path: string) => boolean): Server {
  // This server never listens; it only receives upgrades that are passed on.
  const gate = new Server()
  server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const isUpgrade = request.headers.upgrade?.toLowerCase() === 'websocket' && request.method === 'GET'
    if (isUpgrade && isSocket(path)) gate.emit('upgrade', request, socket, head)
    else serveAsPlainRequest(server, request, socket, head)
  })
  return gate
}

function serveAsPlainRequest(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer) {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2)
    if (!/^(upgrade|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

/** Browsers send the origin of the page; other clients send none. */
function checkOrigin(config: Config, origin: string | undefined, host: string): void {
  if (origin === undefined) return
  const named = config.CORS_ORIGINS?.split(',').map((allowed) => allowed.trim()) ?? []
  const own = [new URL(config.PUBLIC_URL).origin, `http://${host}`, `https://${host}`]
  if (![...own, ...named].includes(origin)) throw originNotAllowed(origin)
}

const maxEarlyBytes = 131_072

const codes = { done: 1000, nothingSaid: 1005, broken: 1008 } as const

function createSocket(
  ws: WebSocket,
  message: z.ZodType,
  onFailure: (error: unknown) => void,
): Socket<unknown> & { dismiss(reason: string): void } {
  const early: string[] = []
  let earlySize = 0
  let handleText = (text: string) => {
    earlySize += text.length
    if (earlySize > maxEarlyBytes) ws.close(codes.broken)
    else early.push(text)
  }
  let drained = () => {}
  let dismissed: (reason: string) => void = () => {}
  let closed: { left: boolean } | undefined
  let handleClose: (left: boolean) => void = () => {}
  ws.on('message', (data: Buffer, binary: boolean) => {
    if (binary) return ws.close(codes.broken)
    try {
      handleText(data.toString())
    } catch (error) {
      // An uncaught error would end the process.
      onFailure(error)
    }
  })
  ws.once('close', (code) => {
    closed = { left: code === codes.done || code === codes.nothingSaid }
    handleClose(closed.left)
  })
  return {
    sendMessage: (data) => ws.send(JSON.stringify(message.parse(data))),
    send: (bytes) => ws.send(bytes, () => drained()),
    buffered: () => ws.bufferedAmount,
    onDrain: (handler) => (drained = handler),
    onText(handler) {
      handleText = handler
      for (const text of early.splice(0)) handler(text)
    },
    onDismiss: (handler) => (dismissed = handler),
    onClose(handler) {
      handleClose = handler
      if (closed) handler(closed.left)
    },
    close: () => ws.close(codes.done),
    refuse: () => ws.close(codes.broken),
    dismiss(reason) {
      dismissed(reason)
      ws.close(codes.done)
    },
  }
}

import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import { fastify, type FastifyInstance } from 'fastify'
import { areas } from '../areas.ts'
import type { Context } from '../context.ts'
import { notReady, tooManyRequests } from '../errors.ts'
import { createHostCheck } from './check-host-header.ts'
import { corsOptions, securityHeaders } from './security-headers.ts'
import { apiReference } from './api-reference.ts'
import { openApi } from './openapi.ts'
import { createLiveRoute, ticketRoute } from './live.ts'
import { mount } from './mount.ts'
import { sendBadUrl, sendMalformedRequest, sendNotFound, sendProblem } from './problems.ts'
import { readJsonBodies } from './request-body.ts'
import { registerSockets } from './sockets.ts'
import { getHealth } from '../../contract/health.ts'
import { route } from '../route.ts'
import { root, version } from '../root.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import serveStatic from '@fastify/static'

export async function createApp(ctx: Context): Promise<FastifyInstance> {
  const { config } = ctx
  const app = fastify({
    logger: false,
    trustProxy: config.TRUST_PROXY?.split(',').map((address) => address.trim()) ?? false,
    forceCloseConnections: true,
    requestTimeout: 120_000,
    // URLs are case-sensitive and have no trailing slash.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => void sendBadUrl(error, request, reply),
    clientErrorHandler: sendMalformedRequest,
  })
  app.setErrorHandler((error, request, reply) => sendProblem(ctx.log, error, request, reply))
  const headers = securityHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    if (isApiPath(request.url)) reply.header('cache-control', 'no-store')
    done()
  })
  if (config.CORS_ORIGINS) await app.register(cors, corsOptions(config.CORS_ORIGINS))
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_, { ttl }) => tooManyRequests(Math.ceil(ttl / 1000)),
  })
  readJsonBodies(app)

  const liveRoute = createLiveRoute(ctx.bus)
  const routes = [healthRoute, ticketRoute, liveRoute, ...areas.flatMap((area) => area.routes ?? [])]
  const mountSocket = await registerSockets(app, ctx)
  const checkHost = createHostCheck(config)
  // This hook must run after the WebSocket hook, which closes refused connections. The API responds with a problem, or
  // with a script where one was requested; pages show the sentence.
  app.addHook('onRequest', (request, reply, done) => {
    const problem = checkHost(request.host)
    if (!problem || isApiPath(request.url)) return done(problem)
    void reply.code(problem.status).type('text/plain; charset=utf-8').send(problem.message)
  })
  mount(app, ctx, routes, mountSocket)
  app.get('/v1/openapi.json', () => openApi())
  app.get('/docs', (_, reply) => {
    const { page, policy } = apiReference()
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
  })
  await serveConsole(app)
  return app
}

/** Reports readiness to load balancers and health checks: ready only while the database responds. */
const healthRoute = route(getHealth, async (ctx) => {
  const state = ctx.health()
  if (!state.ok) throw notReady(state.reason)
  // The check does not use the pool, whose connections may all be busy while the database is healthy.
  await ctx.bus.ping().catch(() => ctx.pool.query('select 1'))
  return { status: 'ready' as const, version }
})

async function serveConsole(app: FastifyInstance): Promise<void> {
  const folder = join(root, 'dist/console')
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(sendNotFound)
    return
  }
  await app.register(serveStatic, {
    root: folder,
    preCompressed: true,
    wildcard: false,
    // Compressed files are found next to the originals and need no routes.
    globIgnore: ['**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      const forever = path.includes('/assets/')
      reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) =>
    isPage(request.method, request.url)
      ? reply.header('cache-control', 'no-cache').sendFile('index.html')
      : sendNotFound(request, reply),
  )
}

const isPage = (method: string, url: string) =>
  (method === 'GET' || method === 'HEAD') && !isApiPath(url) && !url.startsWith('/assets/')

const isApiPath = (url: string) => /^\/v1($|[/?])/.test(url)

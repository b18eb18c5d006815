import cors from '@fastify/cors'
import rateLimit from '@fastify/rate-limit'
import { fastify, type FastifyInstance } from 'fastify'
import { areas } from '../areas.ts'
import type { Context } from '../context.ts'
import { tooManyRequests } from '../errors.ts'
import { createHostCheck } from './check-host.ts'
import { isApiPath, serveConsole } from './console.ts'
import { apiDocs } from './docs.ts'
import { securityHeaders } from './headers.ts'
import { healthRoute } from './health.ts'
import { createLiveRoute, ticketRoute } from './live.ts'
import { mount } from './mount.ts'
import { openApi } from './openapi.ts'
import { sendMalformedRequest, sendBadUrl, sendProblem } from './problems.ts'
import { readJsonBodies } from './json-body.ts'
import { registerSockets } from './sockets.ts'

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
  if (config.CORS_ORIGINS) await app.register(cors, corsFor(config.CORS_ORIGINS))
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_, { ttl }) => tooManyRequests(Math.ceil(ttl / 1000)),
  })
  readJsonBodies(app)

  const liveRoute = createLiveRoute(ctx.bus)
  const routes = [healthRoute, ticketRoute, liveRoute, ...areas.flatMap((area) => area.routes ?? [])]
  const mountSocket = await registerSockets(app, ctx)
  const checkHost = createHostCheck(config)
  // Must run after the WebSocket hook, which closes refused connections. The API responds with a problem, or with a
  // script where one was requested; pages show the sentence.
  app.addHook('onRequest', (request, reply, done) => {
    const problem = checkHost(request.host)
    if (!problem || isApiPath(request.url)) return done(problem)
    void reply.code(problem.status).type('text/plain; charset=utf-8').send(problem.message)
  })
  mount(app, ctx, routes, mountSocket)
  app.get('/v1/openapi.json', () => openApi())
  app.get('/docs', (_, reply) => {
    const { page, policy } = apiDocs()
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
  })
  await serveConsole(app)
  return app
}

/** CORS is off unless the operator configures origins. */
const corsFor = (origins: string) => ({
  origin: origins.split(',').map((origin) => origin.trim()),
  credentials: true,
  methods: ['GET', 'POST', 'PUT', 'DELETE'],
  exposedHeaders: ['Retry-After'],
})

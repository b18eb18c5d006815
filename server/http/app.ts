import { existsSync } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import serveStatic from '@fastify/static'
import { fastify, type FastifyInstance } from 'fastify'
import { areas } from '../areas.ts'
import type { Context } from '../context.ts'
import { Problem, unreadable } from '../errors.ts'
import { root } from '../root.ts'
import { docsPage } from './docs.ts'
import { healthRoute } from './health.ts'
import { liveRoute } from './live.ts'
import { mount } from './mount.ts'
import { openApi } from './openapi.ts'
import { answerBadRequest, answerBadUrl, answerProblem, nothingHere } from './problems.ts'
import { ticketRoute } from './tickets.ts'

const megabyte = 1_048_576

export async function createApp(ctx: Context): Promise<FastifyInstance> {
  const { config } = ctx
  const app = fastify({
    logger: false,
    bodyLimit: megabyte,
    trustProxy: config.TRUST_PROXY?.split(',').map((address) => address.trim()) ?? false,
    forceCloseConnections: true,
    requestTimeout: 120_000,
    // Two slashes or a wrong case are another address, as everywhere else.
    routerOptions: { ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => void answerBadUrl(error, request, reply),
    clientErrorHandler: answerBadRequest,
  })
  app.setErrorHandler((error, request, reply) => answerProblem(ctx.log, error, request, reply))
  await app.register(helmet, { ...policy(config.PUBLIC_URL) })
  await app.register(cors, {
    origin: config.CORS_ORIGINS?.split(',').map((origin) => origin.trim()) ?? false,
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: ['Retry-After'],
  })
  await app.register(rateLimit, { global: false, errorResponseBuilder: (_, { ttl }) => tooManyFor(ttl) })
  // The one body that is read is JSON; an empty one is no body.
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined)
    else if (isUtf8(body)) void parseJson(request, body.toString(), done)
    else done(unreadable('This request is not UTF-8.'))
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/v1/')) reply.header('cache-control', 'no-store')
  })

  mount(app, ctx, [healthRoute, ticketRoute, liveRoute, ...areas.flatMap((area) => area.routes)])
  app.get('/v1/openapi.json', () => openApi())
  app.get('/docs', (_, reply) =>
    reply.header('content-security-policy', docsPolicy()).type('text/html; charset=utf-8').send(docsPage()),
  )
  await serveConsole(app)
  return app
}

const tooManyFor = (milliseconds: number) => {
  const seconds = Math.ceil(milliseconds / 1000)
  return new Problem(429, 'too_many', `Too many requests. Try again in ${seconds} seconds.`, seconds)
}

/** No script but our own files: the token lies in the browser's storage. */
const policy = (publicUrl: string) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'https:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      manifestSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  referrerPolicy: { policy: 'no-referrer' as const },
})

const docsPolicy = () => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(docsPage())?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`
}

/** Files of the console, and its page for every other address that a browser asks for. */
async function serveConsole(app: FastifyInstance) {
  const folder = join(root, 'dist/console')
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(nothingHere)
    return
  }
  await app.register(serveStatic, {
    root: folder,
    preCompressed: true,
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const forever = path.includes('/assets/')
      reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const page =
      request.method === 'GET' && !request.url.startsWith('/v1/') && !request.url.startsWith('/assets/')
    return page
      ? reply.header('cache-control', 'no-cache').sendFile('index.html')
      : nothingHere(request, reply)
  })
}

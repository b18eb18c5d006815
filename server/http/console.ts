import { existsSync } from 'node:fs'
import { join } from 'node:path'
import serveStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { root } from '../root.ts'
import { sendNotFound } from './problems.ts'

/** Serves the files of the console, and its page for every other browser URL. */
export async function serveConsole(app: FastifyInstance): Promise<void> {
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

export const isApiPath = (url: string) => /^\/v1($|[/?])/.test(url)

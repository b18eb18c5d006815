import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { busyboxImage, type RigImage } from './images.ts'

const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const nothing = 'CMD ["sh"]'
const postgresScript = readFileSync(join(import.meta.dirname, 'fixtures/postgres.sh'), 'utf8')

/** Image names and metadata by language or service. */
const images = {
  node: { name: 'node:22-slim', changes: [path, nothing] },
  bun: { name: 'oven/bun:1-slim', changes: [path, nothing] },
  python: { name: 'python:3.13-slim', changes: [path, 'ENV PIP_NO_INDEX=1', nothing] },
  go: { name: 'golang:1.19', changes: [path, 'ENV GOPROXY=off', nothing] },
  nginx: { name: 'nginx:stable-alpine', changes: [path, 'CMD ["nginx", "-g", "daemon off;"]'] },
  redis: { name: 'redis:7', changes: [path, 'WORKDIR /data', 'CMD ["redis-server"]'] },
  memcached: { name: 'memcached:1', changes: [path, 'USER nobody', 'CMD ["memcached"]'] },
  postgres: { name: 'postgres:15', changes: [path, `CMD ${JSON.stringify(['sh', '-c', postgresScript])}`] },
}

/**
 * A base image of generated Dockerfiles. The first one takes half a minute, so create it at the top of a file, without
 * a time limit.
 */
export async function languageImage(language: keyof typeof images, ...more: string[]): Promise<RigImage> {
  const { name, changes } = images[language]
  return { name, file: await madeFor(language), changes: [...changes, ...more] }
}

export const alpineImage = async (): Promise<RigImage> => ({ ...(await busyboxImage()), name: 'alpine:3' })

/** pnpm and both versions of Yarn. */
export const packagesFolder = () => madeFor('packages')

async function madeFor(what: string): Promise<string> {
  const { stdout } = await promisify(execFile)(join(import.meta.dirname, 'languages.sh'), [what])
  return stdout.trim()
}

import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Problem, tooLarge, unreadable } from '../errors.ts'
import type { RawBody } from '../route.ts'

/** Bytes per body that do not count, so that small requests always pass. */
const freeBytes = 65_536
/** Maximum bytes buffered for all requests together, because anybody may send them. */
const maxBuffered = 67_108_864
const retrySeconds = 5

/** Bodies are read only after the caller was authorized, and released when the request ends. */
export function createRawBodies() {
  const memory = { held: 0 }
  return <T>(request: FastifyRequest, work: (raw: RawBody) => Promise<T>): Promise<T> =>
    withRawBody(memory, request, work)
}

async function withRawBody<T>(
  memory: { held: number },
  { body, headers }: FastifyRequest,
  work: (raw: RawBody) => Promise<T>,
): Promise<T> {
  let counted = 0
  const count = (bytes: number) => {
    counted += bytes
    memory.held += bytes
    if (memory.held > maxBuffered) throw full()
  }
  const raw: RawBody = {
    header: (name) => {
      const value = headers[name]
      return typeof value === 'string' ? value : undefined
    },
    read: async (most) => {
      if (!(body instanceof Readable)) return Buffer.alloc(0)
      if (Number(headers['content-length'] ?? 0) > most) throw tooLarge()
      return readAll(body, most, count)
    },
  }
  try {
    return await work(raw)
  } finally {
    memory.held -= counted
  }
}

async function readAll(body: Readable, most: number, count: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const piece = Buffer.from(chunk)
      const before = bytes
      bytes += piece.length
      if (bytes > most) throw tooLarge()
      count(Math.max(0, bytes - freeBytes) - Math.max(0, before - freeBytes))
      chunks.push(piece)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    // Discards the rest, because clients read no response before they have sent everything.
    body.resume()
    throw error instanceof Problem ? error : unreadable('The request body ended early.')
  }
}

const full = () =>
  new Problem(
    503,
    'busy',
    'Too many large requests are being read. Try again in a few seconds.',
    retrySeconds,
  )

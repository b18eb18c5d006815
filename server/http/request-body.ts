import { isUtf8 } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, tooLarge, unreadable } from '../errors.ts'
import { createFairQueue } from '../platform/async.ts'
import { Readable } from 'node:stream'
import type { BodyStart, RawBody } from '../route.ts'

/** Maximum number of keys and values, several times as many as the largest request of the API has. */
const maxTokens = 20_000
const mostDepth = 64

export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, reply, done) => {
    responses.set(request, reply.raw)
    done()
  })
  const queueLargeBody = createLargeBodyQueue()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      if (body.length === 0) return done(null, undefined)
      if (!isUtf8(body)) return done(unreadable('The request body is not valid UTF-8.'))
      const read = () => {
        const problem = findExcess(body)
        if (problem) return done(problem)
        void parseJson(request, body.toString(), done)
      }
      const response = responses.get(request)
      if (body.length <= small || !response) read()
      else queueLargeBody(request.headers.authorization ?? request.ip, response, read)
    },
  )
}

/** Responses by request, because the content type parser does not receive the reply. */
const responses = new WeakMap<FastifyRequest, ServerResponse>()

/** Bodies up to this size take a few milliseconds at most, so they are parsed immediately. */
const small = 32_768
/** Maximum number of large requests per caller, because their transactions must not hold all database connections. */
const maxPerCaller = 3

/**
 * Reads one large body per turn of the event loop, so that small requests are answered in between. The queue is fair
 * among callers.
 */
function createLargeBodyQueue() {
  const waiting = createFairQueue<{ response: ServerResponse; read: () => void }>(maxPerCaller)
  let isReading = false

  function readSoon(): void {
    if (!isReading) setImmediate(readNext)
    isReading = true
  }

  function readNext(): void {
    isReading = false
    const next = waiting.take()
    if (!next) return
    const { response, read } = next.entry
    let isServed = false
    const served = () => {
      if (isServed) return
      isServed = true
      next.done()
      readSoon()
    }
    response.once('finish', served).once('close', served)
    if (response.destroyed) served()
    else read()
    readSoon()
  }

  return (caller: string, response: ServerResponse, read: () => void): void => {
    waiting.add(caller, { response, read })
    readSoon()
  }
}

/**
 * Counts keys and values, because the time of JSON.parse and validation depends on them and not on bytes: 140,000 keys
 * in a megabyte take 250 ms.
 */
function findExcess(body: Buffer): Problem | undefined {
  let tokens = 0
  let depth = 0
  for (let index = 0; index < body.length; index++) {
    const byte = body[index]
    if (byte === QUOTE) {
      index = endOfString(body, index + 1)
    } else if (byte === COMMA || byte === COLON) {
      tokens++
    } else if (byte === BRACE || byte === BRACKET) {
      tokens++
      depth++
      if (depth > mostDepth) return tooDeep()
    } else if (byte === BRACE_END || byte === BRACKET_END) {
      depth--
    }
    if (tokens > maxTokens) return tooMany()
  }
  return undefined
}

/** Finds the closing quote that is not escaped. `indexOf` is ten times faster than a loop over characters. */
function endOfString(body: Buffer, from: number): number {
  for (let index = from; ; index++) {
    index = body.indexOf(QUOTE, index)
    if (index < 0) return body.length
    let start = index
    while (start > from && body[start - 1] === BACKSLASH) start--
    if ((index - start) % 2 === 0) return index
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d]

const tooDeep = () => unreadable(`The request body is nested more than ${mostDepth} levels deep.`)
const tooMany = () =>
  new Problem(
    413,
    'too_large',
    `The request body has more than ${maxTokens.toLocaleString('en')} keys and values. Send fewer at a time.`,
  )

/** Bytes of each body that do not count against the limit, so that small requests always pass. */
const freeBytes = 65_536
const maxBuffered = 67_108_864
const retrySeconds = 5

/** Reads raw bodies after the caller was authorized, and releases their memory when the request ends. */
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
    read: async (most) => (await raw.readStart(most, most)).bytes,
    readStart: async (kept, most, onChunk = () => {}) => {
      if (!(body instanceof Readable)) return { bytes: Buffer.alloc(0), isTruncated: false }
      if (Number(headers['content-length'] ?? 0) > most) throw tooLarge()
      return readStart(body, { kept, most, count, onChunk })
    },
  }
  try {
    return await work(raw)
  } finally {
    memory.held -= counted
  }
}

interface ReadLimits {
  kept: number
  most: number
  count: (bytes: number) => void
  onChunk: (chunk: Buffer) => void
}

async function readStart(body: Readable, { kept, most, count, onChunk }: ReadLimits): Promise<BodyStart> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      const piece = Buffer.from(chunk)
      const before = Math.min(bytes, kept)
      bytes += piece.length
      if (bytes > most) throw tooLarge()
      const held = Math.min(bytes, kept)
      count(Math.max(0, held - freeBytes) - Math.max(0, before - freeBytes))
      onChunk(piece)
      if (held > before) chunks.push(piece.subarray(0, held - before))
    }
    return { bytes: Buffer.concat(chunks), isTruncated: bytes > kept }
  } catch (error) {
    // The rest of the body is discarded, because clients read no response before they have sent everything.
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

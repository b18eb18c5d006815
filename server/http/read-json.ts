import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, unreadable } from '../errors.ts'
import { createFairQueue } from '../platform/fair-queue.ts'

/** Keys, values and brackets of one body: several times what the largest form of the API has. */
const mostTokens = 20_000
const mostDepth = 64

/** Makes JSON the only content type that is read. An empty body is no body. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      if (body.length === 0) return done(null, undefined)
      if (!isUtf8(body)) return done(unreadable('This request is not UTF-8.'))
      const read = () => {
        const problem = findExcess(body)
        if (problem) return done(problem)
        void parseJson(request, body.toString(), done)
      }
      if (body.length <= small) read()
      else inTurn(request.headers.authorization ?? request.ip, read)
    },
  )
}

/** Bytes that are read at once: they cost a few milliseconds at most. */
const small = 32_768
const waiting = createFairQueue<() => void>(1)
let isReading = false

/**
 * One large body is read, and its request begun, in each turn of the event loop: whoever asks for little gets an answer between
 * two of them. Callers take turns as well.
 */
function inTurn(caller: string, read: () => void): void {
  waiting.add(caller, read)
  if (!isReading) setImmediate(readNext)
  isReading = true
}

function readNext(): void {
  const next = waiting.take()
  isReading = next !== undefined
  if (!next) return
  setImmediate(readNext)
  next.done()
  next.one()
}

/**
 * JSON.parse and the schemas take time by the number of keys and values, not by bytes: 140,000 keys in a megabyte cost a quarter
 * of a second. Counting commas, colons and brackets outside strings costs a few milliseconds, whatever the text is.
 */
function findExcess(body: Buffer): Problem | undefined {
  let tokens = 0
  let depth = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === QUOTE) {
      at = endOfString(body, at + 1)
    } else if (byte === COMMA || byte === COLON) {
      tokens++
    } else if (byte === BRACE || byte === BRACKET) {
      tokens++
      depth++
      if (depth > mostDepth) return tooDeep()
    } else if (byte === BRACE_END || byte === BRACKET_END) {
      depth--
    }
    if (tokens > mostTokens) return tooMany()
  }
  return undefined
}

/** At the quote that no odd number of backslashes precedes. `indexOf` is ten times as fast as a look at each byte. */
function endOfString(body: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = body.indexOf(QUOTE, at)
    if (at < 0) return body.length
    let start = at
    while (start > from && body[start - 1] === BACKSLASH) start--
    if ((at - start) % 2 === 0) return at
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d]

const tooDeep = () => unreadable(`This request is nested more than ${mostDepth} levels deep.`)
const tooMany = () =>
  new Problem(
    413,
    'too_large',
    `This request has more than ${mostTokens.toLocaleString('en')} keys and values. Send fewer at a time.`,
  )

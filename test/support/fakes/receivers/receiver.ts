import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { urlOf } from '../../programs/port.ts'

/** A request, as those who judge it see it. */
export interface Request {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  body: string
}

export interface Answer {
  status: number
  body?: string | object
  headers?: Record<string, string>
}

/** Thrown where the real service refuses. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(status: number, body: string | object) {
    super(typeof body === 'string' ? body : JSON.stringify(body))
    this.answer = { status, body }
  }
}

/** What people see of a message, with the signs that nobody sees left out. */
export const seen = (...parts: string[]) => parts.filter(Boolean).join('\n').replaceAll('\u2060', '')

/**
 * A service that takes messages. `take` is what the real one does with a request: it throws a `Refusal`, or keeps what came.
 * It can be told to fail: with an answer, with none, or by cutting the connection.
 */
export async function startReceiver(take: (request: Request) => Answer) {
  const asked: Request[] = []
  const held = new Set<ServerResponse>()
  let trouble: { how: Answer | 'slow' | 'cut'; times: number } | undefined

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '/', headers } = request
    const one = { method, url: new URL(url, 'http://receiver'), headers, body: await text(request) }
    asked.push(one)
    const how = takeTrouble()
    if (how === 'slow') held.add(response)
    else if (how === 'cut') response.destroy()
    else send(response, how ?? judge(one))
  }

  function takeTrouble() {
    if (!trouble || trouble.times <= 0) return undefined
    trouble.times--
    return trouble.how
  }

  function judge(request: Request): Answer {
    try {
      return take(request)
    } catch (error) {
      if (error instanceof Refusal) return error.answer
      throw error
    }
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: urlOf(server),
    /** Every request that came, taken or not. */
    asked,
    fail(how: Answer | 'slow' | 'cut', times = Number.POSITIVE_INFINITY) {
      trouble = { how, times }
    },
    heal() {
      trouble = undefined
    },
    async close() {
      for (const response of held) response.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, { status, body = '', headers }: Answer) {
  const isText = typeof body === 'string'
  response
    .writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
    .end(isText ? body : JSON.stringify(body))
}

export function readJson({ headers, body }: Request, otherwise: () => Refusal): unknown {
  if (!headers['content-type']?.startsWith('application/json')) throw otherwise()
  try {
    return JSON.parse(body)
  } catch {
    throw otherwise()
  }
}

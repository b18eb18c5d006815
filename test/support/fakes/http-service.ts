import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Reply {
  status: number
  /** Sent as JSON unless it is text. */
  body?: string | object
  headers?: Record<string, string>
}

/** Thrown where the real service refuses a request. */
export class Refusal extends Error {
  readonly reply: Reply

  constructor(status: number, body: string | object, headers: Record<string, string> = {}) {
    super(typeof body === 'string' ? body : JSON.stringify(body))
    this.reply = { status, body, headers }
  }
}

export function send(response: ServerResponse, { status, body, headers }: Reply) {
  if (body === undefined) return response.writeHead(status, headers).end()
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain' : 'application/json; charset=utf-8'
  return response
    .writeHead(status, { 'content-type': type, ...headers })
    .end(isText ? body : JSON.stringify(body))
}

/** Serves HTTP on a free port. An error of the handler itself makes `close` fail, and with it the test file. */
export async function startHttpService(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  host = '127.0.0.1',
) {
  const errors: unknown[] = []
  async function serve(request: IncomingMessage, response: ServerResponse) {
    try {
      await handle(request, response)
    } catch (error) {
      if (error instanceof Refusal) send(response, error.reply)
      else {
        // A client that closed the connection makes reading and writing fail; nothing is wrong with the service.
        if (!response.destroyed) errors.push(error)
        response.destroy()
      }
    }
  }
  // A client that has other work must not use a connection that the service is about to close.
  const server = createServer(
    { keepAliveTimeout: 3_600_000 },
    (request, response) => void serve(request, response),
  )
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  // The server listens on a port, not on a named socket.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    /** Errors of the service itself, reported by `close`. */
    errors,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (errors.length > 0) throw new AggregateError(errors, `A fake service failed: ${errors.join('; ')}`)
    },
  }
}

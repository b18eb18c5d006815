import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { startHttpService } from './http-service.ts'

const pipe = (answer: IncomingMessage, response: ServerResponse) => void answer.pipe(response)

/** Passes requests on to another server; `respond` passes on the body of the response. */
export function passOn(to: string, incoming: IncomingMessage, response: ServerResponse, respond = pipe) {
  const { method, url = '/', headers } = incoming
  const passed = request(new URL(url, to), { method, headers: { ...headers, host: new URL(to).host } })
  passed.once('error', () => response.destroy())
  passed.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    respond(answer, response)
  })
  incoming.pipe(passed)
}

/** A proxy before a fake, which can hold requests. */
export async function startGate(to: string) {
  const waiting: (() => void)[] = []
  let isHeld: (call: string) => boolean = () => false
  const service = await startHttpService((incoming, response) => {
    const pass = () => passOn(to, incoming, response)
    if (isHeld(`${incoming.method} ${incoming.url}`)) waiting.push(pass)
    else pass()
  })
  return {
    url: service.url,
    /** Holds such requests from now on. */
    hold: (isSuch: (call: string) => boolean) => void (isHeld = isSuch),
    held: () => waiting.length,
    /** Passes on held requests, and all others. */
    open() {
      isHeld = () => false
      for (const pass of waiting.splice(0)) pass()
    },
    close: service.close,
  }
}

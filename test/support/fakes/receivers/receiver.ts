import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { z } from 'zod'
import { type Fault, planFaults } from '../faults.ts'
import { type Refusal, type Reply, send, startHttpService } from '../http-service.ts'

export interface Request {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  body: string
}

interface Service<Payload, Message> {
  payload: z.ZodType<Payload>
  /** For a body that is not JSON, or not such a payload. */
  invalid: () => Refusal
  /** Checks the address, and what else the service checks before it reads the body. */
  check: (request: Request) => void
  /** Refuses the payload, or gives what the recipient sees of it: nothing of a repeated one. */
  receive: (payload: Payload, request: Request) => Message | undefined
  accepted: (request: Request) => Reply
}

/** Joins what recipients see of a message, without invisible characters. */
export const visible = (...parts: string[]) => parts.filter(Boolean).join('\n').replaceAll('\u2060', '')

/** A service that receives messages, and that can be made to fail. */
export async function startReceiver<Payload, Message>(service: Service<Payload, Message>) {
  const asked: Request[] = []
  const messages: Message[] = []
  const faults = planFaults()

  function parse({ headers, body }: Request): Payload {
    if (!headers['content-type']?.startsWith('application/json')) throw service.invalid()
    try {
      return service.payload.parse(JSON.parse(body))
    } catch {
      throw service.invalid()
    }
  }

  const http = await startHttpService(async (incoming, response) => {
    const { method = '', url = '/', headers } = incoming
    const request = { method, url: new URL(url, http.url), headers, body: await text(incoming) }
    asked.push(request)
    if (faults.inject(method, response)) return
    service.check(request)
    const message = service.receive(parse(request), request)
    if (message) messages.push(message)
    send(response, service.accepted(request))
  })

  return {
    url: http.url,
    messages,
    /** Every request, accepted or not. */
    asked,
    fail: (fault: Fault, times?: number) => faults.set('*', fault, times),
    heal: faults.clear,
    async close() {
      faults.release()
      await http.close()
    },
  }
}

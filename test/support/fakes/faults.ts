import type { ServerResponse } from 'node:http'
import { type Reply, send } from './http-service.ts'

/** 503, a gateway's page, a web page instead of JSON, half a response, no response, a closed connection, or this response. */
export type Fault = 'down' | 'bad gateway' | 'nonsense' | 'half' | 'slow' | 'cut' | Reply

const html = { 'content-type': 'text/html' }
const replies = {
  down: { status: 503, body: { message: 'No server is currently available to service your request.' } },
  'bad gateway': { status: 502, body: '<h1>502 Bad Gateway</h1>', headers: html },
  nonsense: { status: 200, body: '<h1>Unicorn!</h1>', headers: html },
}

/** Faults to inject, each by the requests it applies to: a name, or the beginning of names with a star at its end. */
export function planFaults() {
  const planned = new Map<string, { fault: Fault; times: number }>()
  const held = new Set<ServerResponse>()

  function take(name: string): Fault | undefined {
    for (const [pattern, plan] of planned) {
      const applies = pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
      if (!applies) continue
      if (--plan.times <= 0) planned.delete(pattern)
      return plan.fault
    }
    return undefined
  }

  return {
    /** Injects the fault planned for this request; false if there is none. */
    inject(name: string, response: ServerResponse): boolean {
      const fault = take(name)
      if (fault === undefined) return false
      if (fault === 'slow') held.add(response)
      else if (fault === 'cut') response.destroy()
      else if (fault === 'half') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"servers": [', () => response.destroy())
      } else send(response, typeof fault === 'string' ? replies[fault] : fault)
      return true
    },
    /** Plans a fault, for so many requests or until it is cleared with `undefined`. */
    set(pattern: string, fault: Fault | undefined, times = Infinity) {
      if (fault === undefined) planned.delete(pattern)
      else planned.set(pattern, { fault, times })
    },
    held: () => held.size,
    /** Closes the connections of requests that got no response. */
    release() {
      for (const response of held) response.destroy()
      held.clear()
    },
    clear: () => planned.clear(),
  }
}

import type { ServerResponse } from 'node:http'
import { json } from './answer.ts'

/** How a path fails: out of service, a gateway without a server, no answer, another answer, a cut connection. */
export type Trouble = 'down' | 'bad gateway' | 'slow' | 'nonsense' | 'refused'

/** Which paths fail, and how; a path that ends with a star stands for all that begin like it. */
export function makeTrouble() {
  const troubles = new Map<string, { how: Trouble; times: number }>()
  const held = new Set<ServerResponse>()

  function take(path: string): Trouble | undefined {
    for (const [pattern, trouble] of troubles) {
      const fits = pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
      if (!fits) continue
      if (--trouble.times <= 0) troubles.delete(pattern)
      return trouble.how
    }
    return undefined
  }

  return {
    /** Whether it was answered by that. */
    makes(path: string, response: ServerResponse): boolean {
      const how = take(path)
      if (how === 'slow') held.add(response)
      if (how === 'down')
        json({ response }, 503, { message: 'No server is currently available to service your request.' })
      if (how === 'bad gateway')
        response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
      if (how === 'nonsense')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Unicorn!</h1>')
      if (how === 'refused') response.destroy()
      return how !== undefined
    },
    set(path: string, how: Trouble | undefined, times = Number.POSITIVE_INFINITY) {
      if (how) troubles.set(path, { how, times })
      else troubles.delete(path)
    },
    close() {
      for (const response of held) response.destroy()
      held.clear()
    },
  }
}

import type { ServerResponse } from 'node:http'
import type { Deed } from './account.ts'
import { type Api, Refusal } from './answer.ts'
import { send } from './send.ts'

/** An error of the cloud's own, a gateway's page, a page that is no answer, half an answer, none at all, a cut connection. */
export type Mishap = 'broken' | 'bad gateway' | 'nonsense' | 'half' | 'slow' | 'cut' | Refusal

/** What goes wrong with calls: before anything is done, or after it. */
export function makeMishaps(api: Api) {
  const planned = new Map<string, { how: Mishap; times: number }>()
  const held = new Set<ServerResponse>()
  let isDown: '503' | 'cut' | undefined

  function take(key: string): Mishap | undefined {
    const found = planned.get(key)
    if (!found) return undefined
    if (--found.times <= 0) planned.delete(key)
    return found.how
  }

  function happen(how: Mishap, response: ServerResponse) {
    const html = { 'content-type': 'text/html' }
    if (how instanceof Refusal) send(response, how.answer)
    else if (how === 'broken') send(response, api.refusals.broken().answer)
    else if (how === 'bad gateway') response.writeHead(502, html).end('<h1>502 Bad Gateway</h1>')
    else if (how === 'nonsense') response.writeHead(200, html).end('<h1>Welcome</h1>')
    else if (how === 'half') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"servers": [', () => response.destroy())
    } else if (how === 'slow') held.add(response)
    else response.destroy()
  }

  return {
    /** Whether the call was answered by that. */
    meets(when: 'before' | 'after', deed: Deed, response: ServerResponse): boolean {
      const how = take(`${when} ${deed}`)
      if (how) happen(how, response)
      return how !== undefined
    },
    isDown(response: ServerResponse): boolean {
      if (isDown === '503') send(response, api.refusals.down().answer)
      if (isDown === 'cut') response.destroy()
      return isDown !== undefined
    },
    set(when: 'before' | 'after', deed: Deed, how: Mishap, times = Infinity) {
      planned.set(`${when} ${deed}`, { how, times })
    },
    held: () => held.size,
    down: (how: '503' | 'cut') => void (isDown = how),
    up: () => void (isDown = undefined),
    heal() {
      planned.clear()
      isDown = undefined
      for (const response of held) response.destroy()
      held.clear()
    },
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { matchPath } from '../github/answer.ts'
import type { CloudState, Deed } from './account.ts'
import { type Api, type Call, Refusal, send } from './answer.ts'
import type { livesOf } from './life.ts'

interface Cloud {
  api: Api
  state: CloudState
  lives: ReturnType<typeof livesOf>
  mishaps: ReturnType<typeof makeMishaps>
}

/** Answers one request, in the order in which a cloud checks it: token, limit, path, rights, body. */
export async function serve(cloud: Cloud, request: IncomingMessage, response: ServerResponse) {
  const { api, state, mishaps, lives } = cloud
  // The client may be gone before the request was complete.
  const given = await text(request).catch(() => undefined)
  if (given === undefined || mishaps.isDown(response)) return
  const url = new URL(request.url ?? '/', state.url)
  let headers: Record<string, string> = {}
  try {
    const [, secret = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
    const token = state.tokens.get(secret)
    if (!token || token.rights === 'none') throw api.refusals.unauthorized()
    headers = count(cloud)
    const { deed, handler, params } = find(api, request.method, url.pathname)
    if (token.rights === 'read' && request.method !== 'GET') throw api.refusals.readOnly()
    if (mishaps.meets('before', deed, response)) return
    const call: Call = {
      ...token,
      state,
      url,
      params,
      body: request.method === 'POST' ? read(api, request, given) : {},
      makeServer: (wanted) => lives.makeServer(token.account, wanted),
      destroyServer: lives.destroyServer,
    }
    const answer = await handler(call)
    if (mishaps.meets('after', deed, response)) return
    send(response, { ...answer, headers: { ...headers, ...answer.headers } })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    send(response, { ...error.answer, headers: { ...headers, ...error.answer.headers } })
  }
}

/** Takes one call off the rate limit. */
function count({ api, state: { rate } }: Cloud): Record<string, string> {
  const now = Math.ceil(Date.now() / 1000)
  if (rate.reset <= now)
    Object.assign(rate, { remaining: rate.limit, retryAfter: undefined, reset: now + 3600 })
  if (rate.remaining <= 0) {
    const retry = rate.retryAfter === undefined ? {} : { 'retry-after': String(rate.retryAfter) }
    const { status, body } = api.refusals.tooMany().answer
    throw new Refusal(status, body ?? {}, { ...api.rateHeaders(rate), ...retry })
  }
  rate.remaining--
  return api.rateHeaders(rate)
}

function find(api: Api, method: string | undefined, path: string) {
  for (const [route, [deed, handler]] of Object.entries(api.routes)) {
    const [on, pattern = ''] = route.split(' ')
    const params = on === method ? matchPath(pattern, path) : undefined
    if (params) return { deed, handler, params }
  }
  throw api.refusals.missing()
}

function read(api: Api, request: IncomingMessage, given: string): Record<string, unknown> {
  if (given === '') return {}
  try {
    const body: unknown = JSON.parse(given)
    const isJson = request.headers['content-type']?.startsWith('application/json')
    if (isJson && typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  } catch {
    // Refused below.
  }
  throw api.refusals.badJson()
}

/** The cloud's own error, a gateway's page, a page that is no answer, half an answer, none at all, a cut connection. */
export type Mishap = 'broken' | 'bad gateway' | 'nonsense' | 'half' | 'slow' | 'cut' | Refusal

/** What goes wrong with calls: before anything is done, or after it. */
export function makeMishaps(api: Api) {
  const planned = new Map<string, { how: Mishap; times: number }>()
  const held = new Set<ServerResponse>()
  let isDown: '503' | 'cut' | undefined

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
    /** Whether a mishap answered the call. */
    meets(when: 'before' | 'after', deed: Deed, response: ServerResponse): boolean {
      const found = planned.get(`${when} ${deed}`)
      if (!found) return false
      if (--found.times <= 0) planned.delete(`${when} ${deed}`)
      happen(found.how, response)
      return true
    },
    isDown(response: ServerResponse): boolean {
      if (isDown === '503') send(response, api.refusals.down().answer)
      if (isDown === 'cut') response.destroy()
      return isDown !== undefined
    },
    set: (when: 'before' | 'after', deed: Deed, how: Mishap, times = Infinity) =>
      void planned.set(`${when} ${deed}`, { how, times }),
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

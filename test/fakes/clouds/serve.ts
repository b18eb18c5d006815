import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { matchPath } from '../github/answer.ts'
import type { CloudState } from './account.ts'
import { type Answer, type Api, type Call, Refusal } from './answer.ts'
import type { livesOf } from './life.ts'
import type { makeMishaps } from './mishaps.ts'
import { send } from './send.ts'

interface Cloud {
  api: Api
  state: CloudState
  lives: ReturnType<typeof livesOf>
  mishaps: ReturnType<typeof makeMishaps>
}

/** Answers one request, in the order in which a cloud looks at it: token, limit, path, rights, body. */
export async function serve(cloud: Cloud, request: IncomingMessage, response: ServerResponse) {
  const { api, state, mishaps } = cloud
  // Whoever asked may be gone before all of it was said.
  const given = await text(request).catch(() => undefined)
  if (given === undefined || mishaps.isDown(response)) return
  const url = new URL(request.url ?? '/', state.url)
  let headers: Record<string, string> = {}
  const sent = await refusing(async () => {
    const [, secret = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
    const token = state.tokens.get(secret)
    if (!token || token.rights === 'none') throw api.refusals.unauthorized()
    headers = count(cloud)
    const { route, params } = find(api, request.method, url.pathname)
    if (token.rights === 'read' && route.method !== 'GET') throw api.refusals.readOnly()
    if (mishaps.meets('before', route.deed, response)) return undefined
    const call: Call = {
      ...token,
      state,
      method: route.method,
      url,
      headers: request.headers,
      params,
      body: route.method === 'GET' || route.method === 'DELETE' ? undefined : read(api, request, given),
      makeServer: (wanted) => cloud.lives.makeServer(token.account, wanted),
      destroyServer: cloud.lives.destroyServer,
    }
    const answer = await route.answer(call)
    return mishaps.meets('after', route.deed, response) ? undefined : answer
  })
  if (sent) send(response, { ...sent, headers: { ...headers, ...sent.headers } })
}

async function refusing(answer: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof Refusal) return error.answer
    throw error
  }
}

/** One call less until the limit. */
function count({ api, state: { rate } }: Cloud): Record<string, string> {
  if (rate.reset <= Date.now() / 1000)
    Object.assign(rate, {
      remaining: rate.limit,
      retryAfter: undefined,
      reset: Math.ceil(Date.now() / 1000) + 3600,
    })
  if (rate.remaining <= 0) {
    const retry = rate.retryAfter === undefined ? {} : { 'retry-after': String(rate.retryAfter) }
    const { status, body } = api.refusals.tooMany().answer
    throw new Refusal(status, body ?? {}, { ...api.rateHeaders(rate), ...retry })
  }
  rate.remaining--
  return api.rateHeaders(rate)
}

function find(api: Api, method: string | undefined, path: string) {
  for (const route of api.routes) {
    const params = route.method === method ? matchPath(route.path, path) : undefined
    if (params) return { route, params }
  }
  throw api.refusals.missing()
}

function read(api: Api, request: IncomingMessage, given: string): Record<string, unknown> | undefined {
  if (given === '') return undefined
  try {
    const body: unknown = JSON.parse(given)
    if (request.headers['content-type']?.startsWith('application/json') && isRecord(body)) return body
  } catch {
    // Refused below.
  }
  throw api.refusals.badJson()
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { ApiError, readApiError, SessionEnded, unknownErrorMessage, unreachableMessage } from './api-error.ts'
import { fillPath } from './fill-path.ts'
import { endSession, notifyPlanRequired, readToken } from './session.ts'

type Arguments<K extends keyof Api> =
  unknown extends Input<Api[K]>
    ? [input?: undefined, signal?: AbortSignal]
    : [input: Input<Api[K]>, signal?: AbortSignal]

/** Calls the API: `callApi('GET /v1/servers', { query: { q: 'web' } })`. Throws an ApiError. */
export async function callApi<K extends keyof Api>(
  key: K,
  ...[input, signal]: Arguments<K>
): Promise<Reply<Api[K]>> {
  const response = await send(key, input ?? {}, signal)
  // oxlint-disable-next-line no-unsafe-type-assertion -- the server validates its replies against this schema
  return (await readData(response)) as Reply<Api[K]>
}

type PublicKey = { [K in keyof Api]: Api[K]['access'] extends 'public' ? K : never }[keyof Api]

/** Calls without a token. A 401 from them does not end the session. */
const open: Record<PublicKey, true> = {
  'GET /v1/health': true,
  'POST /v1/auth/email/signup': true,
  'POST /v1/auth/email/login': true,
  'POST /v1/auth/email/verify': true,
  'POST /v1/auth/email/join': true,
  'POST /v1/auth/invite': true,
  'POST /v1/auth/password/forgot': true,
  'POST /v1/auth/password/reset': true,
  'GET /v1/auth/options': true,
  'GET /v1/auth/redirect': true,
  'GET /v1/auth/github/redirect': true,
  'POST /v1/auth/github/finish': true,
  'GET /v1/auth/token': true,
  'GET /v1/favicons/{key}': true,
  'GET /v1/import/server/{token}': true,
  'POST /v1/import/server': true,
  'POST /v1/events/{hook}': true,
  'POST /v1/events/{hook}/{secret}': true,
}

interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export async function send(key: keyof Api, parts: Parts, signal?: AbortSignal): Promise<Response> {
  const token = key in open ? undefined : readToken()
  if (token === null) {
    endSession()
    throw new SessionEnded()
  }
  const [method = '', path = ''] = key.split(' ')
  const url = fillPath(path, parts)
  const body = parts.body === undefined ? undefined : JSON.stringify(parts.body)
  const response = await reach(url, {
    method,
    credentials: 'include',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'POST' && token !== undefined ? { 'idempotency-key': newIdempotencyKey() } : {}),
    },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
  if (response.ok) return response
  if (response.status === 401 && token !== undefined) {
    // The user may have logged in again since the request was sent, so compare the tokens.
    if (readToken() === token) endSession()
    throw new SessionEnded()
  }
  const failure = readApiError(response.status, parse(await response.text()))
  if (failure.code === 'no_plan') notifyPlanRequired()
  throw failure
}

// Creates an idempotency key. `randomUUID` is available only over HTTPS.
const newIdempotencyKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

async function reach(url: string, init: RequestInit) {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError({ messages: [unreachableMessage] })
  }
}

/** Reads the data of a response. The specification demands an error if there is none, whatever the status. */
async function readData(response: Response): Promise<unknown> {
  const data = parse(await response.text())
  if (data === undefined || data === null)
    throw new ApiError({ messages: [unknownErrorMessage], status: response.status })
  return data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

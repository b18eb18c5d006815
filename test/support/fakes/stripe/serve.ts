import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { matchPath } from '../github/answer.ts'
import { type Answer, type Call, Refusal } from './answer.ts'
import { catalogueRoutes, customerRoutes, eventRoutes } from './customer-calls.ts'
import { invoiceRoutes } from './invoice-calls.ts'
import { paymentRoutes } from './payment-calls.ts'
import { portalRoutes } from './portal-calls.ts'
import { sessionRoutes } from './session-calls.ts'
import { subscriptionRoutes } from './subscription-calls.ts'
import { type Form, readForm } from './params.ts'
import { answerOf, type makeIdempotency, type makeTrouble, sendFailure } from './trouble.ts'
import type { Route } from './routes.ts'
import { apiVersion, newId, type State } from './state.ts'

/** Every call that there is; nothing else is known. */
const apiRoutes: Route[] = [
  customerRoutes,
  catalogueRoutes,
  sessionRoutes,
  subscriptionRoutes,
  invoiceRoutes,
  paymentRoutes,
  portalRoutes,
  eventRoutes,
].flat()

/** A request as tests look at it. */
export interface Asked {
  method: string
  path: string
  params: { [name: string]: Form }
  idempotencyKey: string | undefined
  /** None where it was not answered. */
  status: number | undefined
}

export interface Stripe {
  state: State
  trouble: ReturnType<typeof makeTrouble>
  idempotency: ReturnType<typeof makeIdempotency>
  requests: Asked[]
  catchUp: () => void
}

/** Answers one call of the API, in the order in which the real one looks at it: limit, key, version, path, idempotency. */
export async function serveApi(stripe: Stripe, request: IncomingMessage, response: ServerResponse, url: URL) {
  const { state, trouble, requests } = stripe
  // Whoever asked may be gone before all of it was said.
  const body = await text(request).catch(() => undefined)
  if (body === undefined) return
  const given = body === '' ? url.search.slice(1) : body
  const method = request.method ?? 'GET'
  const key = request.headers['idempotency-key']?.toString()
  const asked: Asked = {
    method,
    path: url.pathname,
    params: readForm(given),
    idempotencyKey: key,
    status: undefined,
  }
  requests.push(asked)
  const what = `${method} ${url.pathname}`
  const failure = trouble.isBroken() ? { status: 500 } : trouble.failureOf(what, false)
  if (failure) return fail(asked, response, failure)
  const requestId = newId('req', 14)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': apiVersion,
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const answer = await refusing(async () => {
    trouble.checkLimit(what)
    checkKey(state, request.headers.authorization)
    checkRequest(request, body)
    const { route, params } = find(method, url.pathname)
    const call: Call = { state, params, path: url.pathname }
    const todo = { route, call, asked, given, key: method === 'POST' ? key : undefined, requestId, headers }
    return answerOnce(stripe, todo)
  })
  await trouble.wait(what, true)
  const lost = trouble.failureOf(what, true)
  if (lost) {
    if (lost.isKept && key !== undefined && lost.status !== 'cut')
      stripe.idempotency.keep(key, answerOf(lost.status, lost.body))
    return fail(asked, response, lost)
  }
  asked.status = answer.status
  response.writeHead(answer.status, headers).end(JSON.stringify(answer.body))
}

function fail(asked: Asked, response: ServerResponse, failure: Parameters<typeof sendFailure>[1]) {
  asked.status = failure.status === 'cut' ? undefined : failure.status
  sendFailure(response, failure)
}

interface Todo {
  route: Route
  call: Call
  asked: Asked
  given: string
  key: string | undefined
  requestId: string
  headers: Record<string, string>
}

/** A POST with a key that was answered is answered again and not done again. */
async function answerOnce(
  stripe: Stripe,
  { route, call, asked, given, key, requestId, headers }: Todo,
): Promise<Answer> {
  const { idempotency, trouble, state } = stripe
  const same = {
    path: call.path,
    given: [...new URLSearchParams(given)]
      .map((pair) => pair.join('='))
      .sort()
      .join('&'),
  }
  const before = key === undefined ? undefined : idempotency.find(key, same)
  if (before?.answer) {
    Object.assign(headers, { 'idempotent-replayed': 'true', 'original-request': before.requestId })
    return before.answer
  }
  if (key !== undefined) {
    idempotency.begin(key, same, requestId)
    headers['original-request'] = requestId
  }
  await trouble.wait(`${asked.method} ${asked.path}`, false)
  stripe.catchUp()
  const answer = await refusing(
    () => {
      const act = route.prepare(call, asked.params)
      state.request = { id: requestId, idempotency_key: key ?? null }
      return { status: 200, body: act() }
    },
    () => key !== undefined && idempotency.forget(key),
  )
  state.request = { id: null, idempotency_key: null }
  if (key !== undefined) idempotency.keep(key, answer)
  stripe.catchUp()
  return answer
}

async function refusing(
  answer: () => Answer | Promise<Answer>,
  early: () => void = () => undefined,
): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.isEarly) early()
    return { status: error.status, body: error.body }
  }
}

function checkKey({ secretKey }: State, authorization = '') {
  const [, bearer] = /^Bearer (\S+)$/.exec(authorization) ?? []
  const [, basic] = /^Basic (\S+)$/.exec(authorization) ?? []
  const key = bearer ?? (basic && Buffer.from(basic, 'base64').toString().replace(/:$/, ''))
  if (key === secretKey) return
  throw new Refusal(401, {
    message: key
      ? `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`
      : "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
  })
}

function checkRequest({ headers }: IncomingMessage, body: string) {
  const version = headers['stripe-version']?.toString() ?? apiVersion
  if (version !== apiVersion)
    throw new Refusal(400, {
      message: `Invalid Stripe API version: ${version}. You do not have permission to use this version; this account is on ${apiVersion}.`,
    })
  const type = headers['content-type'] ?? ''
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded'))
    throw new Refusal(400, {
      message: `Invalid request: content type '${type}' is not supported. Use 'application/x-www-form-urlencoded'.`,
    })
}

function find(method: string, path: string): { route: Route; params: Record<string, string> } {
  for (const route of apiRoutes) {
    const params = route.method === method ? matchPath(route.path, path) : undefined
    if (params) return { route, params }
  }
  throw new Refusal(404, {
    message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  })
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { matchPath } from '../github/answer.ts'
import { checkoutRoutes } from './checkout.ts'
import { customerRoutes } from './customers.ts'
import { ApiError } from './errors.ts'
import { answerOf, type createFaults } from './faults.ts'
import type { Answer, createIdempotency } from './idempotency.ts'
import { invoiceRoutes } from './invoice-routes.ts'
import { portalRoutes } from './portal.ts'
import { priceRoutes } from './prices.ts'
import type { Route } from './routes.ts'
import { type ApiObject, readForm, readParams } from './schema.ts'
import { apiVersion, newId, type State } from './state.ts'
import { subscriptionRoutes } from './subscriptions.ts'

const routes: Route[] = [
  customerRoutes,
  priceRoutes,
  checkoutRoutes,
  subscriptionRoutes,
  invoiceRoutes,
  portalRoutes,
].flat()

/** A request as tests inspect it. */
export interface ApiRequest {
  method: string
  path: string
  params: ApiObject
  idempotencyKey: string | undefined
  /** Undefined until the request is answered. */
  status: number | undefined
}

export interface Api {
  state: State
  faults: ReturnType<typeof createFaults>
  idempotency: ReturnType<typeof createIdempotency>
  requests: ApiRequest[]
  catchUp: () => void
}

export async function serveApi(api: Api, incoming: IncomingMessage, response: ServerResponse, url: URL) {
  const { faults, idempotency, requests } = api
  // A client may disconnect before it has sent all of the body.
  const body = await text(incoming).catch(() => undefined)
  if (body === undefined) return
  const form = body === '' ? url.search.slice(1) : body
  const key = incoming.headers['idempotency-key']?.toString()
  const { method = 'GET' } = incoming
  const path = url.pathname
  const request: ApiRequest = {
    method,
    path,
    params: readForm(form),
    idempotencyKey: key,
    status: undefined,
  }
  requests.push(request)
  const name = `${method} ${path}`
  const fault = faults.find(name, false)
  if (fault) return send(request, response, answerOf(fault))
  const headers: Record<string, string> = { 'request-id': newId('req', 14), 'stripe-version': apiVersion }
  const answer = await orApiError(() => {
    authorize(api.state, incoming.headers.authorization)
    checkHeaders(incoming, body)
    return answerOnce(api, request, form, headers)
  })
  await faults.wait(name, true)
  const lateFault = faults.find(name, true)
  if (!lateFault) return send(request, response, answer, headers)
  const failure = answerOf(lateFault)
  if (lateFault.isKept && failure && key !== undefined) idempotency.keep(key, failure)
  send(request, response, failure)
}

/** Cuts the connection if there is no answer. */
function send(request: ApiRequest, response: ServerResponse, answer: Answer | undefined, headers = {}) {
  request.status = answer?.status
  if (!answer) response.destroy()
  else
    response
      .writeHead(answer.status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(answer.body))
}

async function orApiError(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, body: error.body }
  }
}

function authorize({ secretKey }: State, authorization = '') {
  const [, key] = /^Bearer (\S+)$/.exec(authorization) ?? []
  if (key === secretKey) return
  throw new ApiError(401, {
    message: key
      ? `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`
      : 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
  })
}

function checkHeaders({ headers }: IncomingMessage, body: string) {
  const version = headers['stripe-version']?.toString() ?? apiVersion
  if (version !== apiVersion)
    throw new ApiError(400, { message: `Invalid Stripe API version: ${version}. Use ${apiVersion}.` })
  const type = headers['content-type'] ?? ''
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded'))
    throw new ApiError(400, { message: `Invalid request: content type '${type}' is not supported.` })
}

/** A POST with a known idempotency key is answered as before and not processed again. */
async function answerOnce(
  api: Api,
  { method, path, params: form, idempotencyKey }: ApiRequest,
  body: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const { idempotency, faults, state } = api
  const requestId = headers['request-id'] ?? ''
  const key = method === 'POST' ? idempotencyKey : undefined
  const { route, id } = findRoute(method, path)
  const pairs = [...new URLSearchParams(body)].map((pair) => pair.join('=')).sort()
  const keyed = { path, params: pairs.join('&'), requestId }
  const before = key === undefined ? undefined : idempotency.find(key, keyed)
  if (before) {
    headers['idempotent-replayed'] = 'true'
    headers['original-request'] = before.requestId
    return before.answer
  }
  // Invalid parameters do not use up a key, so they are read first.
  const params = readParams(route.operation, route.expandable, form)
  if (key !== undefined) idempotency.begin(key, keyed)
  await faults.wait(`${method} ${path}`, false)
  api.catchUp()
  state.request = { id: requestId, idempotency_key: key ?? null }
  const answer = await orApiError(() => ({
    status: 200,
    body: route.answer({ state, path, id }, params),
  }))
  state.request = { id: null, idempotency_key: null }
  if (key !== undefined) idempotency.keep(key, answer)
  api.catchUp()
  return answer
}

function findRoute(method: string, path: string): { route: Route; id: string } {
  for (const route of routes) {
    const [published, pattern = ''] = route.operation.split(' ')
    const match = published === method ? matchPath(pattern, path) : undefined
    if (match) return { route, id: match['id'] ?? '' }
  }
  throw new ApiError(404, { message: `Unrecognized request URL (${method}: ${path}).` })
}

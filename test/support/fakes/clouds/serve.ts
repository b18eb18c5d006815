import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { planFaults } from '../faults.ts'
import { matchPath } from '../github/answer.ts'
import { Refusal, send } from '../http-service.ts'
import { readPublished, requestValidator } from '../openapi/published.ts'
import type { Call, CloudApi } from './api.ts'
import type { startLifecycle } from './lifecycle.ts'
import type { CloudState } from './state.ts'

interface Cloud {
  api: CloudApi
  state: CloudState
  lifecycle: ReturnType<typeof startLifecycle>
  faults: ReturnType<typeof planFaults>
}

/** Serves requests, with checks in the order of a cloud: token, rate limit, path, scopes, query and body. */
export function makeServe({ api, state, lifecycle, faults }: Cloud) {
  const validate = requestValidator(readPublished(api.document))

  /** Counts the request against the rate limit. */
  function countRequest(): Record<string, string> {
    const isWithin = state.limit.count()
    const headers = api.hasRateHeaders ? state.limit.headers('ratelimit') : {}
    if (isWithin) return headers
    const { status, body = '' } = api.errors.rateLimited().reply
    throw new Refusal(status, body, { ...headers, ...state.limit.retryHeader() })
  }

  function findRoute(method: string, path: string) {
    for (const [name, [operation, handler, scopes]] of Object.entries(api.routes)) {
      const [on, pattern = ''] = name.split(' ')
      const params = on === method ? matchPath(pattern, path) : undefined
      if (params) return { name, operation, handler, scopes, params }
    }
    throw api.errors.notFound()
  }

  function readBody({ method, headers }: IncomingMessage, given: string): Record<string, unknown> {
    if (method !== 'POST' || given === '') return {}
    try {
      const body: unknown = JSON.parse(given)
      const isJson = headers['content-type']?.startsWith('application/json')
      if (isJson && typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
    } catch {
      // Refused below.
    }
    throw api.errors.badJson()
  }

  return async function serve(request: IncomingMessage, response: ServerResponse, url: URL) {
    const given = await text(request)
    if (faults.inject('any', response)) return
    let headers: Record<string, string> = {}
    try {
      const [, secret = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
      const token = state.tokens.get(secret)
      if (!token || token.rights === 'none') throw api.errors.unauthorized()
      headers = countRequest()
      const { rights, account } = token
      const { name, operation, handler, scopes, params } = findRoute(request.method ?? '', url.pathname)
      const requireScope = (...oneOf: string[]) => {
        if (Array.isArray(rights) && !oneOf.some((scope) => rights.includes(scope)))
          throw api.errors.forbidden()
      }
      if (rights === 'read' && request.method !== 'GET') throw api.errors.forbidden()
      if (scopes) requireScope(...scopes)
      if (faults.inject(`before ${operation}`, response)) return
      const body = readBody(request, given)
      const error = validate(name, url.searchParams, request.method === 'POST' ? body : undefined)
      if (error) throw api.invalid(error)
      const call: Call = {
        ...token,
        state,
        url,
        params,
        body,
        requireScope,
        createServer: (wanted) => lifecycle.createServer({ ...wanted, account }),
        destroyServer: lifecycle.destroyServer,
      }
      const reply = await handler(call)
      if (faults.inject(`after ${operation}`, response)) return
      send(response, { ...reply, headers: { ...headers, ...reply.headers } })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      send(response, { ...error.reply, headers: { ...headers, ...error.reply.headers } })
    }
  }
}

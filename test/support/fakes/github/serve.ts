import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Call, type Handler, json, matchPath, missing, Refusal } from './answer.ts'
import * as app from './app-calls.ts'
import { Moved } from './authenticate.ts'
import { gitPath, serveGit } from './http-backend.ts'
import { sendMedia } from './lfs.ts'
import { authorize, exchange, installPage, newAppPage } from './pages.ts'
import * as repository from './repository-calls.ts'
import type { State } from './state.ts'

/** What a browser opens, and files that are kept elsewhere; everything else is the API. */
const pages: [method: string, pattern: string, Handler][] = [
  ['GET', '/login/oauth/authorize', authorize],
  ['POST', '/login/oauth/access_token', exchange],
  ['GET', '/apps/:slug/installations/new', installPage],
  ['POST', '/settings/apps/new', newAppPage],
  ['POST', '/organizations/:organization/settings/apps/new', newAppPage],
  ['GET', '/media/:key', sendMedia],
]

const ofRepository: [method: string, pattern: string, Handler][] = [
  ['GET', '', repository.getRepository],
  ['GET', '/branches', repository.listBranches],
  ['GET', '/branches/*branch', repository.getBranch],
  ['GET', '/git/trees/*ref', repository.getTree],
  ['GET', '/commits/*ref', repository.getCommit],
  ['GET', '/contents/*path', repository.getContents],
  ['GET', '/compare/*range', repository.compare],
  ['POST', '/statuses/:sha', repository.createStatus],
]

const api: [method: string, pattern: string, Handler][] = [
  ['GET', '/app', app.getApp],
  ['GET', '/app/hook/deliveries', app.listDeliveries],
  ['POST', '/app/hook/deliveries/:id/attempts', app.redeliver],
  ['GET', '/app/installations/:id', app.getInstallation],
  ['POST', '/app/installations/:id/access_tokens', app.createToken],
  ['POST', '/app-manifests/:code/conversions', app.convertManifest],
  ['GET', '/installation/repositories', app.listInstallationRepositories],
  ['GET', '/user', app.getUser],
  ['GET', '/user/emails', app.listEmails],
  ['GET', '/user/installations', app.listUserInstallations],
  ['GET', '/orgs/:org/memberships/:login', app.getMembership],
  ...['/repos/:owner/:repo', '/repositories/:id'].flatMap((place) =>
    ofRepository.map(([method, rest, handler]): [string, string, Handler] => [method, place + rest, handler]),
  ),
]

/** Answers one request, the way the real one would. */
export async function serve(state: State, request: IncomingMessage, response: ServerResponse, url: URL) {
  const call: Call = { state, request, response, url, params: {} }
  const [, fullName = '', rest = ''] = gitPath.exec(url.pathname) ?? []
  if (rest) return serveGit(call, fullName, rest)
  try {
    const page = find(pages, call)
    if (page) return await page()
    if (!request.headers['user-agent'])
      throw new Refusal(
        403,
        'Request forbidden by administrative rules. Please make sure your request has a User-Agent header',
      )
    countRequest(state, response)
    const handler = find(api, call)
    if (!handler) throw missing()
    return await handler()
  } catch (error) {
    if (error instanceof Moved) {
      const rest = url.pathname
        .split('/')
        .slice(4)
        .map((part) => `/${part}`)
        .join('')
      const location = `${state.url}/repositories/${error.to.id}${rest}${url.search}`
      return json(call, 301, { message: error.message, url: location }, { location })
    }
    if (error instanceof Refusal) return json(call, error.status, error.body)
    throw error
  }
}

function find(table: [method: string, pattern: string, Handler][], call: Call): (() => unknown) | undefined {
  for (const [method, pattern, handler] of table) {
    const params = method === call.request.method ? matchPath(pattern, call.url.pathname) : undefined
    if (params) return () => handler({ ...call, params })
  }
  return undefined
}

/** Every answer says how many more there may be; beyond that there are none until the hour is over. */
function countRequest({ rate }: State, response: ServerResponse) {
  if (rate.retryAfter !== undefined) {
    response.setHeader('retry-after', String(rate.retryAfter))
    throw new Refusal(
      403,
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    )
  }
  if (rate.reset <= Date.now() / 1000)
    Object.assign(rate, { remaining: rate.limit, reset: Math.floor(Date.now() / 1000) + 3600 })
  const over = rate.remaining === 0
  rate.remaining = Math.max(0, rate.remaining - 1)
  response.setHeader('x-ratelimit-limit', String(rate.limit))
  response.setHeader('x-ratelimit-remaining', String(rate.remaining))
  response.setHeader('x-ratelimit-used', String(rate.limit - rate.remaining))
  response.setHeader('x-ratelimit-reset', String(rate.reset))
  response.setHeader('x-ratelimit-resource', 'core')
  if (over) throw new Refusal(403, 'API rate limit exceeded for installation.')
}

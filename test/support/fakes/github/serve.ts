import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Reply, send } from '../http-service.ts'
import { readPublished, requestValidator } from '../openapi/published.ts'
import { type Call, matchPath, notFound, refuse } from './answer.ts'
import * as app from './app-calls.ts'
import { gitPath, serveGit } from './http-backend.ts'
import { sendMedia } from './lfs.ts'
import { authorize, createApp, exchangeCode, installApp } from './pages.ts'
import * as repository from './repository-calls.ts'
import type { State } from './state.ts'

/** Gives the reply, or nothing if it has responded itself. */
type Handler = (call: Call) => Reply | undefined | Promise<Reply | undefined>
type Routes = Record<string, Handler>

/** Pages of the web site, and downloads. */
const pages: Routes = {
  'GET /login/oauth/authorize': authorize,
  'POST /login/oauth/access_token': exchangeCode,
  'GET /apps/:slug/installations/new': installApp,
  'POST /settings/apps/new': createApp,
  'POST /organizations/:organization/settings/apps/new': createApp,
  'GET /media/:key': sendMedia,
}

const repositoryRoutes = (path: string): Routes => ({
  [`GET ${path}`]: repository.getRepository,
  [`GET ${path}/branches`]: repository.listBranches,
  [`GET ${path}/branches/*branch`]: repository.getBranch,
  [`GET ${path}/git/trees/*ref`]: repository.getTree,
  [`GET ${path}/commits/*ref`]: repository.getCommit,
  [`GET ${path}/contents/*path`]: repository.getContents,
  [`GET ${path}/compare/*range`]: repository.compare,
  [`POST ${path}/statuses/:sha`]: repository.createStatus,
})

const api: Routes = {
  'GET /app': app.getApp,
  'GET /app/hook/deliveries': app.listDeliveries,
  'POST /app/hook/deliveries/:id/attempts': app.redeliver,
  'GET /app/installations/:id': app.getInstallation,
  'POST /app/installations/:id/access_tokens': app.createToken,
  'POST /app-manifests/:code/conversions': app.convertManifest,
  'GET /installation/repositories': app.listInstallationRepositories,
  'GET /user': app.getUser,
  'GET /user/emails': app.listEmails,
  'GET /user/installations': app.listUserInstallations,
  'GET /orgs/:org/memberships/:login': app.getMembership,
  ...repositoryRoutes('/repos/:owner/:repo'),
  ...repositoryRoutes('/repositories/:id'),
}

const validate = requestValidator(readPublished('github'))

export async function serve(state: State, request: IncomingMessage, response: ServerResponse, url: URL) {
  const call: Call = { state, request, response, url, params: {}, body: {} }
  const [, fullName = '', rest = ''] = gitPath.exec(url.pathname) ?? []
  if (rest) return serveGit(call, fullName, rest)
  const reply = await (answerWith(pages, call) ?? answerApi(call))
  return reply && send(response, reply)
}

async function answerApi(call: Call) {
  const { request, state, response } = call
  if (!request.headers['user-agent'])
    throw refuse(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header',
    )
  countRequest(state, response)
  const body = request.method === 'POST' ? parseJson(await text(request)) : {}
  return answerWith(api, { ...call, body }) ?? Promise.reject(notFound())
}

function answerWith(routes: Routes, call: Call) {
  for (const [name, handler] of Object.entries(routes)) {
    const [method, pattern = ''] = name.split(' ')
    const params = method === call.request.method ? matchPath(pattern, call.url.pathname) : undefined
    if (!params) continue
    if (validate(name, call.url.searchParams, call.body)) throw refuse(422, 'Invalid request.')
    return handler({ ...call, params })
  }
  return undefined
}

function parseJson(given: string): unknown {
  try {
    return JSON.parse(given || '{}')
  } catch {
    throw refuse(400, 'Problems parsing JSON')
  }
}

/** Responses have the rate limit in their headers; with `retryAfter` the secondary limit is exceeded. */
function countRequest({ limit }: State, response: ServerResponse) {
  const isWithin = limit.count()
  const isSecondary = limit.rate.retryAfter !== undefined
  const headers = isSecondary ? limit.retryHeader() : limit.headers('x-ratelimit')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (!isWithin)
    throw refuse(
      403,
      isSecondary
        ? 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'
        : 'API rate limit exceeded for installation.',
    )
}

import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { Problem, serviceFailed, serviceTimedOut } from '../../errors.ts'
import { fetchFailureReason, isTimeoutError } from '../../call-service.ts'

export interface GitHubRequest {
  path: string
  token?: string
  method?: 'GET' | 'POST' | 'DELETE'
  body?: object
  accept?: string
  /** Set for requests that work only once, which are not retried. */
  once?: boolean
}

const maxAttempts = 3
const maxRedirects = 3

export async function callGitHub(ctx: Context, request: GitHubRequest): Promise<Response> {
  const startedAt = Date.now()
  const timeoutMs = ctx.config.OUTSIDE_TIMEOUT * 1000
  for (let attempt = 1; ; attempt++) {
    const last = request.once || attempt === maxAttempts || Date.now() - startedAt >= 1.5 * timeoutMs
    try {
      const response = await send(ctx, request, new URL(`${ctx.config.GITHUB_API_URL}${request.path}`))
      if (response.ok) return response
      if (response.status < 500 || last) throw await toResponseProblem(response)
      await response.body?.cancel()
    } catch (error) {
      if (error instanceof Problem) throw error
      if (last) throw toGitHubProblem(error)
    }
    await sleep(Math.min(timeoutMs / 4, 250 * attempt ** 2) * (0.5 + Math.random()))
  }
}

export async function readGitHub<S extends z.ZodType>(
  ctx: Context,
  request: GitHubRequest,
  schema: S,
): Promise<{ value: z.output<S>; next: string | undefined }> {
  const response = await callGitHub(ctx, request)
  try {
    return { value: schema.parse(await response.json()), next: nextPagePath(response, request.path) }
  } catch (error) {
    if (isTimeoutError(error)) throw serviceTimedOut('GitHub')
    const path = request.path.replace(/\?.*|(?<=app-manifests\/)\w+/g, '')
    throw serviceFailed('GitHub', `${path} returned an unexpected response.`)
  }
}

/** Redirects are followed manually, to keep the method and never send the token to another host. */
async function send(ctx: Context, request: GitHubRequest, url: URL, redirects = 0): Promise<Response> {
  const response = await fetch(url, {
    method: request.method ?? 'GET',
    headers: {
      accept: request.accept ?? 'application/vnd.github+json',
      'user-agent': 'slipway',
      'x-github-api-version': '2022-11-28',
      ...(request.token && { authorization: `Bearer ${request.token}` }),
      ...(request.body && { 'content-type': 'application/json' }),
    },
    ...(request.body && { body: JSON.stringify(request.body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(ctx.config.OUTSIDE_TIMEOUT * 1000),
  })
  const location = response.headers.get('location')
  if (![301, 302, 307, 308].includes(response.status) || !location || redirects === maxRedirects)
    return response
  await response.body?.cancel()
  const to = new URL(location, url)
  if (to.origin !== url.origin) throw serviceFailed('GitHub', 'it redirects to another host.')
  return send(ctx, request, to, redirects + 1)
}

const errorBody = z.object({ message: z.string() })

async function toResponseProblem(response: Response): Promise<Problem> {
  const body = errorBody.safeParse(await response.json().catch(() => undefined))
  const message = body.success ? body.data.message.slice(0, 200) : `status ${response.status}`
  const limited = limitedUntil(response, message)
  if (limited) return new GitHubRateLimited(limited)
  if (response.status === 401) return githubKeysWrong()
  if (response.status === 404)
    return githubNotFound('The resource was not found on GitHub, or Slipway has no access to it.')
  if (response.status < 500)
    return githubAccessLost(response.status, `GitHub rejected the request: ${message.replace(/\.?$/, '.')}`)
  return serviceFailed('GitHub', `status ${response.status}`)
}

/** Returns when a rate limit ends. GitHub reports it in two ways: as a reset time or as a retry delay. */
function limitedUntil({ status, headers }: Response, message: string): Date | undefined {
  if (status !== 403 && status !== 429) return undefined
  const after = Number(headers.get('retry-after'))
  if (after > 0) return new Date(Date.now() + after * 1000)
  const reset = Number(headers.get('x-ratelimit-reset'))
  if (headers.get('x-ratelimit-remaining') === '0' && reset > 0) return new Date(reset * 1000)
  return status === 429 || /rate limit/i.test(message) ? new Date(Date.now() + 60_000) : undefined
}

/** Returns the next page of the `link` header, at the same path, because GitHub may not know its own base URL. */
export function nextPagePath({ headers, url }: Response, path: string): string | undefined {
  const [, next] = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  return next && URL.canParse(next, url) ? path.replace(/\?.*/, '') + new URL(next, url).search : undefined
}

function toGitHubProblem(error: unknown): Problem {
  if (isTimeoutError(error)) return serviceTimedOut('GitHub')
  return serviceFailed('GitHub', fetchFailureReason(error))
}

export class GitHubRequestFailed extends Problem {
  readonly answered: number

  constructor(answered: number, status: number, code: string, sentence: string) {
    super(status, code, sentence)
    this.answered = answered
  }
}

export class GitHubRateLimited extends Problem {
  readonly retryAt: Date

  constructor(retryAt: Date) {
    const seconds = Math.max(1, Math.ceil((retryAt.getTime() - Date.now()) / 1000))
    const time = retryAt.toISOString().slice(11, 16)
    super(503, 'github_rate_limit', `GitHub rate limit reached. Try again after ${time} UTC.`, seconds)
    this.retryAt = retryAt
  }
}

export const githubKeysWrong = () =>
  new GitHubRequestFailed(
    401,
    502,
    'github_keys_wrong',
    'GitHub rejected the credentials of this instance. The operator must correct GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY if they are set, or remove the GitHub App and create it again.',
  )

export const githubNotFound = (what: string, answered = 404) =>
  new GitHubRequestFailed(answered, 404, 'github_not_found', what)

/** Problem for access that was lost on GitHub, which can happen at any time. `why` explains what to do. */
export const githubAccessLost = (answered: number, why: string) =>
  new GitHubRequestFailed(answered, 409, 'github_access_lost', why)

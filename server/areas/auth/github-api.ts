import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { serviceFailed, serviceTimedOut, Problem } from '../../errors.ts'
import { githubAccessLost, githubKeysWrong, GitHubLimited, githubNotFound } from './github-errors.ts'
import { isTimeout, reasonOf } from './outside-reasons.ts'

export interface Asked {
  path: string
  token?: string
  method?: 'GET' | 'POST' | 'DELETE'
  body?: object
  accept?: string
  /** Single-use requests are not retried. */
  once?: boolean
}

const tries = 3
const mostRedirects = 3

/** Calls the GitHub API. Retries transient failures and converts errors to problems. */
export async function askGitHub(ctx: Context, asked: Asked): Promise<Response> {
  const begun = Date.now()
  const patience = ctx.config.OUTSIDE_TIMEOUT * 1000
  for (let attempt = 1; ; attempt++) {
    const last = asked.once || attempt === tries || Date.now() - begun >= 1.5 * patience
    try {
      const answer = await send(ctx, asked, new URL(`${ctx.config.GITHUB_API_URL}${asked.path}`))
      if (answer.ok) return answer
      if (answer.status < 500 || last) throw await refusal(answer)
      await answer.body?.cancel()
    } catch (error) {
      if (error instanceof Problem) throw error
      if (last) throw inOurWords(error)
    }
    await sleep(Math.min(patience / 4, 250 * attempt ** 2) * (0.5 + Math.random()))
  }
}

/** Calls the GitHub API and validates the JSON response. */
export async function readGitHub<S extends z.ZodType>(
  ctx: Context,
  asked: Asked,
  schema: S,
): Promise<{ value: z.output<S>; next: string | undefined }> {
  const answer = await askGitHub(ctx, asked)
  try {
    return { value: schema.parse(await answer.json()), next: nextOf(answer, asked.path) }
  } catch (error) {
    if (isTimeout(error)) throw serviceTimedOut('GitHub')
    const path = asked.path.replace(/\?.*|(?<=app-manifests\/)\w+/g, '')
    throw serviceFailed('GitHub', `${path} returned an unexpected response.`)
  }
}

/** Redirects are followed manually to keep the method and to never send the token to another host. */
async function send(ctx: Context, asked: Asked, url: URL, redirects = 0): Promise<Response> {
  const answer = await fetch(url, {
    method: asked.method ?? 'GET',
    headers: {
      accept: asked.accept ?? 'application/vnd.github+json',
      'user-agent': 'slipway',
      'x-github-api-version': '2022-11-28',
      ...(asked.token && { authorization: `Bearer ${asked.token}` }),
      ...(asked.body && { 'content-type': 'application/json' }),
    },
    ...(asked.body && { body: JSON.stringify(asked.body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(ctx.config.OUTSIDE_TIMEOUT * 1000),
  })
  const location = answer.headers.get('location')
  if (![301, 302, 307, 308].includes(answer.status) || !location || redirects === mostRedirects) return answer
  await answer.body?.cancel()
  const to = new URL(location, url)
  if (to.origin !== url.origin) throw serviceFailed('GitHub', 'it redirects to another host.')
  return send(ctx, asked, to, redirects + 1)
}

const said = z.object({ message: z.string() })

async function refusal(answer: Response): Promise<Problem> {
  const body = said.safeParse(await answer.json().catch(() => undefined))
  const message = body.success ? body.data.message.slice(0, 200) : `status ${answer.status}`
  const limited = limitedUntil(answer, message)
  if (limited) return new GitHubLimited(limited)
  if (answer.status === 401) return githubKeysWrong()
  if (answer.status === 404) return githubNotFound('Not found at GitHub, or Slipway has no access to it.')
  if (answer.status < 500)
    return githubAccessLost(answer.status, `GitHub rejected the request: ${message.replace(/\.?$/, '.')}`)
  return serviceFailed('GitHub', `it returned ${answer.status}.`)
}

/** GitHub reports rate limits in two ways: a reset time or a retry delay. */
function limitedUntil({ status, headers }: Response, message: string): Date | undefined {
  if (status !== 403 && status !== 429) return undefined
  const after = Number(headers.get('retry-after'))
  if (after > 0) return new Date(Date.now() + after * 1000)
  const reset = Number(headers.get('x-ratelimit-reset'))
  if (headers.get('x-ratelimit-remaining') === '0' && reset > 0) return new Date(reset * 1000)
  return status === 429 || /rate limit/i.test(message) ? new Date(Date.now() + 60_000) : undefined
}

/** Returns the next page of the `link` header, at the same path: GitHub may not know its own base URL. */
export function nextOf({ headers, url }: Response, path: string): string | undefined {
  const [, next] = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  return next && URL.canParse(next, url) ? path.replace(/\?.*/, '') + new URL(next, url).search : undefined
}

function inOurWords(error: unknown): Problem {
  if (isTimeout(error)) return serviceTimedOut('GitHub')
  return serviceFailed('GitHub', reasonOf(error))
}

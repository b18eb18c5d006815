import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { outsideFailed, outsideSlow, Problem } from '../../errors.ts'
import { githubAccessLost, githubKeysWrong, GitHubLimited, githubNotFound } from './github-errors.ts'
import { isTimeout, reasonOf } from './outside-reasons.ts'

export interface Asked {
  path: string
  token?: string
  method?: 'GET' | 'POST' | 'DELETE'
  body?: object
  accept?: string
  /** What serves once is not asked for twice. */
  once?: boolean
}

const tries = 3
const mostRedirects = 3

/** What GitHub answers. A bad moment of it is waited out; what it refuses is a problem in our words. */
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

/** The same, where the answer is JSON of this form. */
export async function readGitHub<S extends z.ZodType>(
  ctx: Context,
  asked: Asked,
  schema: S,
): Promise<{ value: z.output<S>; next: string | undefined }> {
  const answer = await askGitHub(ctx, asked)
  try {
    return { value: schema.parse(await answer.json()), next: nextOf(answer, asked.path) }
  } catch (error) {
    if (isTimeout(error)) throw outsideSlow('GitHub')
    const path = asked.path.replace(/\?.*|(?<=app-manifests\/)\w+/g, '')
    throw outsideFailed('GitHub', `${path} gave an answer of another form.`)
  }
}

/** Redirects are followed by hand: they keep the method, and lead nowhere else with the token. */
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
  if (to.origin !== url.origin) throw outsideFailed('GitHub', 'it leads elsewhere.')
  return send(ctx, asked, to, redirects + 1)
}

const said = z.object({ message: z.string() })

async function refusal(answer: Response): Promise<Problem> {
  const body = said.safeParse(await answer.json().catch(() => undefined))
  const message = body.success ? body.data.message.slice(0, 200) : `status ${answer.status}`
  const limited = limitedUntil(answer, message)
  if (limited) return new GitHubLimited(limited)
  if (answer.status === 401) return githubKeysWrong()
  if (answer.status === 404)
    return githubNotFound('GitHub does not have this, or does not let Slipway see it.')
  if (answer.status < 500)
    return githubAccessLost(answer.status, `GitHub did not do this: ${message.replace(/\.?$/, '.')}`)
  return outsideFailed('GitHub', `it gave ${answer.status}.`)
}

/** GitHub says so in one of two ways: no calls left until a time, or come back after so many seconds. */
function limitedUntil({ status, headers }: Response, message: string): Date | undefined {
  if (status !== 403 && status !== 429) return undefined
  const after = Number(headers.get('retry-after'))
  if (after > 0) return new Date(Date.now() + after * 1000)
  const reset = Number(headers.get('x-ratelimit-reset'))
  if (headers.get('x-ratelimit-remaining') === '0' && reset > 0) return new Date(reset * 1000)
  return status === 429 || /rate limit/i.test(message) ? new Date(Date.now() + 60_000) : undefined
}

/** The page that follows, as the header `link` names it: at the same path, whatever GitHub thinks that it is called by. */
export function nextOf({ headers, url }: Response, path: string): string | undefined {
  const [, next] = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  return next && URL.canParse(next, url) ? path.replace(/\?.*/, '') + new URL(next, url).search : undefined
}

function inOurWords(error: unknown): Problem {
  if (isTimeout(error)) return outsideSlow('GitHub')
  return outsideFailed('GitHub', reasonOf(error))
}

import { z } from 'zod'
import type { Context } from '../../context.ts'
import { serviceFailed } from '../../errors.ts'
import {
  callService,
  getRateLimits,
  parseJsonReply,
  rateLimitedProblem,
  rateLimitedUntil,
} from '../../call-service.ts'
import { HubRefused, wrongRegistryCredentials } from './registry-errors.ts'
import type { RegistryCredentials } from './registry-credentials.ts'
import { pageSize, type SearchPage } from './search-cache.ts'

export interface RegistryLogin {
  username: string
  password: string
}

interface HubRequest {
  path: string
  query?: Record<string, string>
  token?: string | undefined
  body?: { identifier: string; secret: string }
}

const service = 'Docker Hub'

const rateLimitKey = ({ body, token }: HubRequest) =>
  `${service} ${body ? `log-in ${body.identifier}` : (token ?? '')}`

export async function callHub<S extends z.ZodType>(
  ctx: Context,
  request: HubRequest,
  schema: S,
): Promise<z.output<S>> {
  const limited = getRateLimits(ctx).get(rateLimitKey(request))
  if (limited) throw rateLimitedProblem(service, limited)
  const base = ctx.config.DOCKER_HUB_URL
  const url = new URL(`${base}${request.path}`)
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
  const answer = await callService(ctx, service, url, {
    trustedOrigin: url.origin,
    headers: {
      ...(request.token && { authorization: `Bearer ${request.token}` }),
      ...(request.body && { 'content-type': 'application/json' }),
    },
    ...(request.body && { method: 'POST' as const, body: JSON.stringify(request.body) }),
  })
  const until = rateLimitedUntil(answer)
  if (until) getRateLimits(ctx).set(rateLimitKey(request), until)
  if (answer.status === 429) throw rateLimitedProblem(service, until)
  if (answer.status >= 400 && answer.status < 500) throw new HubRefused(answer.status)
  if (answer.status !== 200) throw serviceFailed(service, `status ${answer.status}`)
  return parseJsonReply(service, answer, schema)
}

const granted = z.object({ access_token: z.string() })

export async function logInToHub(ctx: Context, { username, password }: RegistryLogin): Promise<string> {
  try {
    const body = { identifier: username, secret: password }
    return (await callHub(ctx, { path: '/v2/auth/token', body }, granted)).access_token
  } catch (error) {
    if (error instanceof HubRefused && [400, 401, 403].includes(error.answered))
      throw wrongRegistryCredentials(service, error.answered)
    throw error
  }
}

/** Reuses a token for a few minutes, so that not every call logs in; requests a new one if it was revoked. */
export async function withHubToken<T>(
  ctx: Context,
  { registry, logIn }: RegistryCredentials,
  ask: (token: string) => Promise<T>,
): Promise<T> {
  const key = `${registry.id} ${registry.username} ${registry.password_sealed}`
  const { hubTokens } = ctx.registryCaches
  const token = async () =>
    (
      await hubTokens.get(
        key,
        () => logInToHub(ctx, logIn),
        () => false,
      )
    ).value
  const first = await token()
  try {
    return await ask(first)
  } catch (error) {
    if (!(error instanceof HubRefused) || error.answered !== 401) throw error
    hubTokens.invalidate(key, first)
    return ask(await token())
  }
}

interface HubPageRequest {
  path: string
  query?: Record<string, string>
  page: number
  token?: string | undefined
}

/** Docker Hub answers 400 or 404 for a page after the last one; the first page has the total. */
export async function readHubPage<S extends z.ZodType>(
  ctx: Context,
  { path, query, page, token }: HubPageRequest,
  item: S,
): Promise<SearchPage<z.output<S>>> {
  const schema = z.object({ count: z.number().int(), next: z.string().nullish(), results: z.array(item) })
  const request = { path, token, query: { ...query, page: String(page), page_size: String(pageSize) } }
  try {
    const { count, next, results } = await callHub(ctx, request, schema)
    return { items: results, total: count, next: next ? String(page + 1) : null }
  } catch (error) {
    const isBehind = error instanceof HubRefused && [400, 404].includes(error.answered) && page > 1
    if (!isBehind) throw error
    const { total } = await readHubPage(ctx, { path, page: 1, ...(query && { query }), token }, item)
    return { items: [], total, next: null }
  }
}

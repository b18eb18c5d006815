import { z } from 'zod'
import type { Config } from '../../config.ts'
import {
  callService,
  rateLimitedUntil,
  getRateLimits,
  parseJson,
  parseJsonReply,
} from '../../call-service.ts'
import { Problem } from '../../errors.ts'
import { StaleCache } from '../../platform/cache.ts'
import { hashToken } from '../../platform/tokens.ts'
import type { FetchReply } from '../../platform/net/safe-fetch.ts'
import {
  cloudBusy,
  type CloudErrorKind,
  type ErrorResponse,
  providerUnavailable,
  toCloudProblem,
  CloudBusy,
  CloudUnavailable,
} from './cloud-errors.ts'
import type { Account, NewCloudServer } from './provider.ts'

/** Describes the API of a provider. All use bearer tokens and JSON. */
export interface Api {
  name: string
  tokenHelp: string
  maxPageSize: string
  base(config: Config): string
  parseError(body: unknown): ErrorResponse
  kindOf(status: number, response: ErrorResponse): CloudErrorKind | undefined
  isMissing?(status: number, response: ErrorResponse): boolean
  next(body: Record<string, unknown>): Record<string, string> | undefined
}

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string>
  body?: object
  wanted?: NewCloudServer
}

export async function callProviderApi<S extends z.ZodType>(
  account: Account,
  api: Api,
  request: ApiRequest,
  schema: S,
): Promise<z.output<S>> {
  const answer = await send(account, api, request)
  if (isMissing(api, answer))
    throw toCloudProblem(account, api, request, answer.status, readErrorResponse(api, answer))
  return read(api, answer, schema)
}

/** Like `callProviderApi`, but returns undefined for 404. */
export async function findInApi<S extends z.ZodType>(
  account: Account,
  api: Api,
  request: ApiRequest,
  schema: S,
): Promise<z.output<S> | undefined> {
  const answer = await send(account, api, request)
  return isMissing(api, answer) ? undefined : read(api, answer, schema)
}

export async function deleteInApi(account: Account, api: Api, path: string): Promise<void> {
  await send(account, api, { method: 'DELETE', path })
}

/** Stops pagination that would never end. */
const maxPages = 500

export async function listAllPages<S extends z.ZodType>(
  account: Account,
  api: Api,
  path: string,
  list: string,
  schema: S,
  filters: Record<string, string> = {},
): Promise<z.output<S>[]> {
  const all: z.output<S>[] = []
  const first = { per_page: api.maxPageSize, ...filters }
  let query: Record<string, string> | undefined = first
  for (let page = 1; query; page++) {
    if (page > maxPages) throw providerUnavailable(api, 'its list has too many pages')
    const body: Record<string, unknown> = await callProviderApi(
      account,
      api,
      { path, query },
      z.record(z.string(), z.unknown()),
    )
    const items = body[list]
    if (!Array.isArray(items)) throw providerUnavailable(api, `its response has no list “${list}”`)
    for (const item of items) {
      const known = schema.safeParse(item)
      if (known.success) all.push(known.data)
      else
        account.ctx.log.warn(
          { cloud: api.name, list, at: known.error.issues[0]?.path },
          'Skipped an invalid item in a list of a cloud provider',
        )
    }
    const next = api.next(body)
    query = next && { ...first, ...next }
  }
  return all
}

async function send(account: Account, api: Api, request: ApiRequest): Promise<FetchReply> {
  const { ctx, token, signal } = account
  const whose = `${api.name} ${token}`
  const limited = getRateLimits(ctx).get(whose)
  if (limited) throw cloudBusy(api, limited)
  const url = new URL(`${api.base(ctx.config)}${request.path}`)
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
  const answer = await callService(ctx, api.name, url, {
    method: request.method ?? 'GET',
    trustedOrigin: url.origin,
    // Do not follow redirects: they would leak the token and may repeat the request.
    keepRedirect: true,
    headers: {
      authorization: `Bearer ${token}`,
      ...(request.body && { 'content-type': 'application/json' }),
    },
    ...(request.body && { body: JSON.stringify(request.body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw error instanceof Problem ? providerUnavailable(api, error) : error
  })
  if (answer.status === 429) {
    // Some providers report when the whole quota resets, which is later than necessary.
    const until = Math.min(rateLimitedUntil(answer, 10_000) ?? 0, Date.now() + 60_000)
    getRateLimits(ctx).set(whose, until)
    throw cloudBusy(api, until)
  }
  if ((answer.status >= 200 && answer.status < 300) || isMissing(api, answer)) return answer
  throw toCloudProblem(account, api, request, answer.status, readErrorResponse(api, answer))
}

const readErrorResponse = (api: Api, { text }: FetchReply) => api.parseError(parseJson(text))

function isMissing(api: Api, answer: FetchReply): boolean {
  const { status } = answer
  if (status === 404 || status === 410) return true
  return status >= 400 && (api.isMissing?.(status, readErrorResponse(api, answer)) ?? false)
}

function read<S extends z.ZodType>(api: Api, answer: FetchReply, schema: S): z.output<S> {
  try {
    return parseJsonReply(api.name, answer, schema)
  } catch (error) {
    throw error instanceof Problem ? providerUnavailable(api, error) : error
  }
}

/** Caches data that rarely changes, such as prices, for an hour per account. */
export const createHourlyCache = <T>() => new StaleCache<T>(3_600_000)

/** Callers share the request, so it is not tied to the signal of one of them. */
export async function readHourly<T>(
  cache: StaleCache<T>,
  { ctx, token }: Account,
  read: (account: Account) => Promise<T>,
): Promise<T> {
  const { value } = await cache.get(
    hashToken(token),
    () => read({ ctx, token }),
    (error) => error instanceof CloudUnavailable || error instanceof CloudBusy,
  )
  return value
}

/** Returns undefined if optional data, such as a price, is unavailable. */
export async function undefinedIfUnavailable<T>(
  { ctx, signal }: Account,
  pending: Promise<T>,
): Promise<T | undefined> {
  try {
    return await pending
  } catch (error) {
    signal?.throwIfAborted()
    ctx.log.warn({ reason: String(error) }, 'Failed to read the prices of a cloud provider')
    return undefined
  }
}

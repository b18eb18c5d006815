import type { z } from 'zod'
import type { Context } from './context.ts'
import { serviceRateLimited, serviceFailed, serviceTimedOut, Problem } from './errors.ts'
import {
  type SafeFetchOptions,
  type FetchReply,
  BlockedAddress,
  safeFetch,
} from './platform/net/safe-fetch.ts'
import { getSettings } from './settings.ts'
import { isTimeout, reasonOf } from './areas/auth/outside-reasons.ts'

/** Calls another service on behalf of somebody. Why it cannot be had is a problem in our words. `within` is for less time than usual. */
export async function callService(
  ctx: Context,
  who: string,
  url: URL,
  { within, ...asking }: Omit<SafeFetchOptions, 'timeout' | 'allowedNetworks'> & { within?: number } = {},
): Promise<FetchReply> {
  try {
    return await safeFetch(url, {
      ...asking,
      headers: { 'user-agent': 'slipway', ...asking.headers },
      timeout: Math.min(ctx.config.OUTSIDE_TIMEOUT * 1000, within ?? Infinity),
      allowedNetworks: (await getSettings(ctx)).allowedNetworks,
    })
  } catch (error) {
    if (error instanceof BlockedAddress) throw addressBlocked(url.host)
    if (isTimeout(error)) throw serviceTimedOut(who)
    // Why is in the code of the error, for which there are words.
    throw new ServiceUnreachable(who, reasonOf(new Error('It failed.', { cause: error })), error)
  }
}

/** Nobody answered as one does. */
export class ServiceUnreachable extends Problem {
  override readonly cause: unknown

  constructor(who: string, why: string, cause: unknown) {
    const { status, code, message } = serviceFailed(who, why)
    super(status, code, message)
    this.cause = cause
  }
}

const addressBlocked = (host: string) =>
  new Problem(
    409,
    'outbound_not_allowed',
    `Slipway does not call ${host}: the address is not public, or the connection is not encrypted. The instance owner can allow its range (OUTBOUND_NETWORKS). Servers that can reach it can still pull from it.`,
  )

/** What it says, where that is JSON of this form. */
export function parseJsonReply<S extends z.ZodType>(
  who: string,
  { text }: FetchReply,
  schema: S,
): z.output<S> {
  const read = schema.safeParse(parseJson(text))
  if (read.success) return read.data
  throw serviceFailed(
    who,
    /^\s*</.test(text) ? 'it returned a web page' : 'it returned an unexpected response',
  )
}

/** What it is as JSON, if it is any. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether somebody else did not do their part: what was known before may still be of use. */
export const isServiceUnavailable = (error: unknown) =>
  error instanceof Problem && (error.status === 429 || error.status === 502 || error.status === 504)

/** Until when it takes no more calls, in one of the ways in which that is said; `unsaid` is for how long where it is not. */
export function rateLimitedUntil({ status, headers }: FetchReply, unsaid = 60_000): number | undefined {
  const header = (name: string) => String(headers[name] ?? '')
  const reset = timeOf(header('x-ratelimit-reset') || header('ratelimit-reset'))
  if (status !== 429) return header('x-ratelimit-remaining') === '0' ? reset : undefined
  return timeOf(header('retry-after')) ?? timeOf(header('x-retry-after')) ?? reset ?? Date.now() + unsaid
}

/** Then it is asked again, whatever it said: a mistake must not stop everything for hours. */
const longest = 10 * 60_000

/** Seconds from now, seconds since 1970, or a date. */
function timeOf(value: string): number | undefined {
  if (value === '') return undefined
  const number = Number(value)
  const at = Number.isNaN(number)
    ? Date.parse(value)
    : number < 1e9
      ? Date.now() + number * 1000
      : number * 1000
  return at > Date.now() ? Math.min(at, Date.now() + longest) : undefined
}

/** A minute, where it does not say until when. */
export const rateLimitedProblem = (who: string, until = Date.now() + 60_000) =>
  serviceRateLimited(who, Math.max(1, Math.ceil((until - Date.now()) / 1000)))

/** Until when others take no more calls, by whom and whose they are: they are not asked before. One account stops nobody else. */
const limits = new WeakMap<Context, Map<string, number>>()

export function rateLimitsOf(ctx: Context) {
  const own = limits.get(ctx) ?? new Map<string, number>()
  limits.set(ctx, own)
  for (const [key, until] of own) if (until <= Date.now()) own.delete(key)
  return own
}

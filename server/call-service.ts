import type { z } from 'zod'
import type { Context } from './context.ts'
import { Problem, serviceFailed, serviceRateLimited, serviceTimedOut } from './errors.ts'
import {
  BlockedAddress,
  type FetchReply,
  safeFetch,
  type SafeFetchOptions,
} from './platform/net/safe-fetch.ts'
import { getSettings } from './settings.ts'

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
    if (isTimeoutError(error)) throw serviceTimedOut(who)
    // The message of the error is replaced, because its code explains the failure.
    throw new ServiceUnreachable(who, fetchFailureReason(new Error('It failed.', { cause: error })), error)
  }
}

export class ServiceUnreachable extends Problem {
  override readonly cause: unknown

  constructor(who: string, reason: string, cause: unknown) {
    const { status, code, message } = serviceFailed(who, reason)
    super(status, code, message)
    this.cause = cause
  }
}

const addressBlocked = (host: string) =>
  new Problem(
    409,
    'outbound_not_allowed',
    `Slipway does not call ${host}: the address is not public, or the connection is not encrypted. An instance owner can allow its range (OUTBOUND_NETWORKS). Servers that can reach the host can still pull images from it.`,
  )

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

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns whether the service is unavailable or rate-limited, so that a cached result is acceptable. */
export const isServiceUnavailable = (error: unknown) =>
  error instanceof Problem && (error.status === 429 || error.status === 502 || error.status === 504)

export function rateLimitedUntil({ status, headers }: FetchReply, unsaid = 60_000): number | undefined {
  const header = (name: string) => String(headers[name] ?? '')
  const reset = parseTime(header('x-ratelimit-reset') || header('ratelimit-reset'))
  if (status !== 429) return header('x-ratelimit-remaining') === '0' ? reset : undefined
  return (
    parseTime(header('retry-after')) ?? parseTime(header('x-retry-after')) ?? reset ?? Date.now() + unsaid
  )
}

/** Maximum wait in milliseconds: a wrong header must not stop calls for hours. */
const longest = 10 * 60_000

function parseTime(value: string): number | undefined {
  if (value === '') return undefined
  const number = Number(value)
  const at = Number.isNaN(number)
    ? Date.parse(value)
    : number < 1e9
      ? Date.now() + number * 1000
      : number * 1000
  return at > Date.now() ? Math.min(at, Date.now() + longest) : undefined
}

export const rateLimitedProblem = (who: string, until = Date.now() + 60_000) =>
  serviceRateLimited(who, Math.max(1, Math.ceil((until - Date.now()) / 1000)))

export function getRateLimits({ serviceRateLimits: limits }: Context) {
  for (const [key, until] of limits) if (until <= Date.now()) limits.delete(key)
  return limits
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'DNS lookup failed',
  UND_ERR_SOCKET: 'connection lost',
}

export const isTimeoutError = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isTimeoutError(error.cause))

/** `fetch` puts the reason of a failure into `cause`. */
export function fetchFailureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error.cause instanceof Error)) return error.message
  const { code = '', message }: Error & { code?: string } = error.cause
  return reasons[code] ?? (message || error.message)
}

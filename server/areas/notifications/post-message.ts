import type { Context } from '../../context.ts'
import {
  BlockedAddress,
  type FetchReply,
  isInNetworks,
  RedirectRefused,
  safeFetch,
} from '../../platform/net/safe-fetch.ts'
import { getSettings } from '../../settings.ts'
import { fetchFailureReason } from '../../call-service.ts'
import { DeliveryRefused, type OutgoingMessage, RetryLater } from './channel-type.ts'
import { z } from 'zod'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../platform/net/address-range.ts'

interface Post {
  url: string
  body: unknown
  headers?: Record<string, string>
  signal: OutgoingMessage['signal']
  /** An origin that the operator configured, exempt from the address check. */
  trusted?: string
  gone?: RegExp
}

/** HTTP statuses that reject the message; all other errors reject the sender. */
const messageStatuses = new Set([400, 413, 422])

export async function postMessage(ctx: Context, post: Post): Promise<string> {
  const answer = await call(ctx, post)
  const errorDetail = readErrorText(answer.text)
  const response = `HTTP ${answer.status}${errorDetail && `: ${errorDetail}`}`
  if (answer.status >= 200 && answer.status < 300) return response
  if (answer.status === 429) throw new RetryLater(response, retryDelay(answer))
  if (answer.status === 410 || post.gone?.test(errorDetail)) throw new DeliveryRefused(response, 'gone')
  if (messageStatuses.has(answer.status)) throw new DeliveryRefused(response, 'message')
  if (answer.status >= 400 && answer.status < 500 && ![408, 425].includes(answer.status))
    throw new DeliveryRefused(response, 'channel')
  throw new Error(response)
}

async function call(ctx: Context, { url, body, headers, signal, trusted }: Post): Promise<FetchReply> {
  const target = new URL(url)
  try {
    return await safeFetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Slipway', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal,
      timeout: ctx.config.OUTSIDE_TIMEOUT * 1000,
      maxBytes: 64 * 1024,
      truncate: true,
      allowedNetworks: (await getSettings(ctx)).allowedNetworks,
      ...(trusted && { trustedOrigin: trusted }),
    })
  } catch (error) {
    signal.throwIfAborted()
    throw toDeliveryError(target.hostname, error)
  }
}

/** Names only the host, because a path or query can contain a token. */
function toDeliveryError(host: string, error: unknown): Error {
  if (error instanceof BlockedAddress)
    return new DeliveryRefused(
      `Slipway does not call ${host}: its address is not public or the connection is not encrypted. An instance owner can allow its range (OUTBOUND_NETWORKS)`,
      'channel',
    )
  if (error instanceof RedirectRefused)
    return new DeliveryRefused(`${host} redirects to another URL, which Slipway does not follow`, 'channel')
  if (error instanceof Error && error.name === 'TimeoutError')
    return new Error(`${host} timed out`, { cause: error })
  return new Error(
    `Could not reach ${host}: ${fetchFailureReason(new Error('request failed', { cause: error }))}`,
    {
      cause: error,
    },
  )
}

const errorText = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ description: z.string() }).transform(({ description }) => description),
  z.object({ errors: z.array(z.string()).min(1) }).transform(({ errors }) => errors.join(', ')),
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ error: z.string() }).transform(({ error }) => error),
])

function readErrorText(text: string): string {
  const read = parsed(text)
  const knownError = errorText.safeParse(read)
  if (!knownError.success && (read !== undefined || /^\s*</.test(text))) return ''
  return (knownError.data ?? text).replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
}

/** Discord and Telegram put the delay into the body, besides the header. */
const waiting = z.union([
  z.object({ retry_after: z.number() }).transform((body) => body.retry_after),
  z
    .object({ parameters: z.object({ retry_after: z.number() }) })
    .transform((body) => body.parameters.retry_after),
])
const defaultDelay = 60

function retryDelay({ headers, text }: Pick<FetchReply, 'headers' | 'text'>): number {
  const header = (headers['retry-after'] ?? '').trim()
  const seconds = /^\d+(\.\d+)?$/.test(header)
    ? Number(header)
    : header === ''
      ? (waiting.safeParse(parsed(text)).data ?? defaultDelay)
      : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : defaultDelay
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Validates what is known before the request. The address that a name resolves to is checked when connecting. */
export async function checkReceiverUrl(ctx: Context, receiver: string): Promise<string | undefined> {
  if (!URL.canParse(receiver)) return 'Must be a complete URL, such as https://example.com/hook.'
  const url = new URL(receiver)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Must begin with https://.'
  if (url.username || url.password) return 'Must not contain a username or password.'
  const { allowedNetworks: networks } = await getSettings(ctx)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const address = /(^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : host
  if (isIP(address)) {
    if (isInNetworks(address, networks)) return undefined
    if (!isPublicAddress(address))
      return `Slipway does not call ${host}, which is not a public address. Enter a public one or ask an instance owner to allow its range (OUTBOUND_NETWORKS).`
  }
  // A name may resolve to an allowed network, where HTTP is accepted.
  if (url.protocol === 'http:' && (isIP(address) || networks.length === 0)) return 'Must begin with https://.'
  return undefined
}

import { Problem, tooManyRequests, unreadable } from '../../errors.ts'
import type { Anonymous, RawBody } from '../../route.ts'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'

export interface IncomingWebhook extends RawBody {
  address: Anonymous['address']
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function decodeBody(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw unreadable('This request is not UTF-8.')
  }
}

const storedHeaderNames = [
  'user-agent',
  'content-type',
  'x-github-event',
  'x-github-delivery',
  'x-github-hook-id',
  'x-github-hook-installation-target-id',
  'x-github-hook-installation-target-type',
]

export function storedHeaders(webhook: RawBody): Record<string, string> {
  const entries = storedHeaderNames.map((name) => [name, webhook.header(name)?.slice(0, 500)])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const window = 60_000
const free = 30

export const createFailedCallCache = () =>
  new LRUCache<string, { wrong: number }>({ max: 10_000, ttl: window })

/** Only failures are throttled, so that valid calls from a shared address still pass. */
export function rejectWebhook({ failedHookCalls: counts }: Context, address: string): Problem {
  const count = counts.get(address) ?? { wrong: 0 }
  count.wrong++
  if (count.wrong === 1) counts.set(address, count)
  return count.wrong > free
    ? tooManyRequests(Math.ceil(counts.getRemainingTTL(address) / 1_000))
    : wrongSecret()
}

const wrongSecret = () =>
  new Problem(
    401,
    'wrong_secret',
    'Unknown hook, or wrong signature or secret. Check the URL and secret in the settings of the application, the GitHub App or the Stripe webhook.',
  )

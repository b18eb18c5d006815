import { unreadable } from '../../errors.ts'
import type { RawBody, Anonymous } from '../../route.ts'

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

/** Relevant headers, without secrets and signatures. */
export function storedHeaders(webhook: RawBody): Record<string, string> {
  const found = storedHeaderNames.map((name) => [name, webhook.header(name)?.slice(0, 500)])
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

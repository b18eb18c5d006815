import { unreadable } from '../../errors.ts'
import type { RawBody, Anonymous } from '../../route.ts'

export interface Received extends RawBody {
  address: Anonymous['address']
}

const decoder = new TextDecoder('utf-8', { fatal: true })

export function textOf(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw unreadable('This request is not UTF-8.')
  }
}

const kept = [
  'user-agent',
  'content-type',
  'x-github-event',
  'x-github-delivery',
  'x-github-hook-id',
  'x-github-hook-installation-target-id',
  'x-github-hook-installation-target-type',
]

/** Relevant headers, without secrets and signatures. */
export function headersOf(given: RawBody): Record<string, string> {
  const found = kept.map((name) => [name, given.header(name)?.slice(0, 500)])
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

import { formatMilliseconds } from '../../../contract/shared/duration.ts'
import type { z } from 'zod'
import type { httpCheck } from '../../../contract/alerts.ts'
import { errorCode } from '../../platform/db.ts'
import { type LookupAddresses, BlockedAddress, safeFetch } from '../../platform/net/safe-fetch.ts'
import { probeHeader } from '../../remote/proxy/traffic-counters.ts'
import { version } from '../../root.ts'
import { isTimeoutError } from '../../call-service.ts'

export type HttpCheck = z.output<typeof httpCheck>

export interface CheckResult {
  ok: boolean
  status: number | null
  latency_ms: number | null
  error: string | null
}

interface CheckOptions {
  networks: readonly string[]
  lookup?: LookupAddresses | undefined
  signal?: AbortSignal | undefined
  ca?: string[] | undefined
  /** Keeps the proxy from counting the request. */
  probeKey?: string | undefined
  limit?: number
}

/** Returns the first failure, or the slowest response. */
export function worstResult<T extends CheckResult>(results: readonly T[]): T | undefined {
  const slowestFirst = results.toSorted((a, b) => (b.latency_ms ?? 0) - (a.latency_ms ?? 0))
  return results.find(({ ok }) => !ok) ?? slowestFirst[0]
}

const megabyte = 1024 ** 2
const usualLimit = 10_000

export async function runHttpCheck(
  url: URL,
  check: HttpCheck,
  { networks, lookup, signal, ca, probeKey, limit = usualLimit }: CheckOptions,
): Promise<CheckResult> {
  const timeout = Math.max(limit, check.latency_ms ?? 0)
  const began = performance.now()
  try {
    const { status, text } = await safeFetch(url, {
      headers: {
        accept: '*/*',
        'user-agent': `Slipway/${version} probe`,
        ...(probeKey && { [probeHeader]: probeKey }),
      },
      timeout,
      allowedNetworks: networks,
      maxBytes: megabyte,
      truncate: true,
      keepRedirect: true,
      allowHttp: true,
      ...(lookup && { lookup }),
      ...(signal && { signal }),
      ...(ca && { ca }),
    })
    const latency_ms = Math.round(performance.now() - began)
    const error = failureReason(check, { status, text, latency_ms }) ?? null
    return { ok: error === null, status, latency_ms, error }
  } catch (error) {
    // An abort because Slipway stops says nothing about the domain.
    signal?.throwIfAborted()
    return { ok: false, status: null, latency_ms: null, error: errorReason(error, timeout) }
  }
}

interface CheckResponse {
  status: number
  text: string
  latency_ms: number
}

function failureReason(check: HttpCheck, { status, text, latency_ms }: CheckResponse): string | undefined {
  if (!matchesStatus(check.status, status)) return `returned ${status} instead of ${check.status}`
  if (check.latency_ms !== null && latency_ms > check.latency_ms)
    return `took ${formatMilliseconds(latency_ms)} to respond (limit ${formatMilliseconds(check.latency_ms)})`
  if (!text.includes(check.contains)) return `responded without the text “${check.contains}”`
  return undefined
}

const matchesStatus = (patterns: string, status: number) =>
  patterns
    .split(',')
    .some((pattern) => new RegExp(`^${pattern.trim().replaceAll('x', '\\d')}$`).test(String(status)))

const reasons: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'has a host name that does not exist',
  EAI_AGAIN: 'has a host name that could not be resolved',
  ETIMEDOUT: 'timed out',
  EHOSTUNREACH: 'is unreachable',
  ENETUNREACH: 'is unreachable',
  EPROTO: 'failed the TLS handshake',
  ERR_SSL_WRONG_VERSION_NUMBER: 'failed the TLS handshake',
  CERT_HAS_EXPIRED: 'has an expired certificate',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate from an untrusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate from an untrusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate from an untrusted authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host name',
}

function errorReason(error: unknown, timeout: number): string {
  if (error instanceof BlockedAddress)
    return 'resolves to a private address that does not belong to its server, so Slipway does not call it'
  if (isTimeoutError(error)) return `did not respond within ${formatMilliseconds(timeout)}`
  const code = errorCode(error) ?? ''
  if (code.startsWith('HPE_')) return 'sent an invalid HTTP response'
  return reasons[code] ?? `could not be reached${code === '' ? '' : ` (${code})`}`
}

import type { Tone } from '../../ui/badge.tsx'
import type { Domain } from './queries.ts'

interface BadgeText {
  tone: Tone
  label: string
}

export function verificationBadge({
  verification: { status, problem },
  generated,
}: Domain): BadgeText | undefined {
  if (status === 'released') return { tone: 'red', label: 'Released' }
  if (status === 'needs_txt') return { tone: 'yellow', label: 'Needs TXT record' }
  if (generated) return undefined
  if (status === 'verified' && problem !== null) return { tone: 'yellow', label: 'Verification failing' }
  if (status === 'waiting_for_dns') return { tone: 'yellow', label: 'Waiting for DNS' }
  return undefined
}

export function certificateBadge(
  { https, certificate }: Pick<Domain, 'https' | 'certificate'>,
  now = new Date(),
): BadgeText {
  if (!https) return { tone: 'neutral', label: 'HTTP only' }
  if (certificate === null || certificate.status === 'waiting')
    return { tone: 'yellow', label: 'Waiting for certificate' }
  if (certificate.status === 'failed') return { tone: 'red', label: 'No certificate' }
  if (certificate.expires_at !== null && new Date(certificate.expires_at) <= now)
    return { tone: 'red', label: 'Certificate expired' }
  return certificate.error === null
    ? { tone: 'green', label: 'HTTPS' }
    : { tone: 'yellow', label: 'HTTPS, renewal failed' }
}

/** Returns whether HTTPS works or is turned off, so that DNS needs no further attention. */
export const isHttpsSettled = ({ https, certificate }: Domain) => !https || certificate?.status === 'issued'

/** Servers that are addressed by a host name need a CNAME record. */
export function recordType(address: string): 'A' | 'AAAA' | 'CNAME' {
  if (/^[\d.]+$/.test(address)) return 'A'
  return address.includes(':') ? 'AAAA' : 'CNAME'
}

import { expect, test } from 'vitest'
import { certificateBadge, isHttpsSettled, recordType, verificationBadge } from './domain-badges.ts'
import type { Domain } from './queries.ts'

const now = new Date('2026-06-01T00:00:00Z')
const domain = (certificate: Partial<NonNullable<Domain['certificate']>> | null, https = true): Domain => ({
  id: 'dom_1',
  service: '',
  host: 'shop.example.com',
  path: '/',
  port: null,
  https,
  generated: false,
  url: 'https://shop.example.com',
  routing_error: null,
  verification: {
    status: 'verified',
    problem: null,
    verified_at: '2026-05-01T00:00:00Z',
    txt_record: { name: '_slipway.shop.example.com', value: 'slipway-verification=1' },
  },
  certificate: certificate && {
    kind: 'acme',
    status: 'issued',
    error: null,
    issuer: 'Pebble',
    expires_at: '2026-08-01T00:00:00Z',
    next_try_at: null,
    ...certificate,
  },
})

test.each([
  [domain(null, false), 'neutral', 'HTTP only', true],
  [domain(null), 'yellow', 'Waiting for certificate', false],
  [domain({ status: 'waiting' }), 'yellow', 'Waiting for certificate', false],
  [domain({ status: 'failed', error: 'No such name.' }), 'red', 'No certificate', false],
  [domain({}), 'green', 'HTTPS', true],
  [domain({ error: 'Too many.' }), 'yellow', 'HTTPS, renewal failed', true],
  [domain({ expires_at: '2026-05-31T00:00:00Z' }), 'red', 'Certificate expired', true],
  [domain({ kind: 'uploaded', expires_at: null }), 'green', 'HTTPS', true],
])('shows the HTTPS status: %#', (given, tone, label, settled) => {
  expect(certificateBadge(given, now)).toEqual({ tone, label })
  expect(isHttpsSettled(given)).toBe(settled)
})

test('chooses the record type for an address', () => {
  expect(['203.0.113.9', '2001:db8::1', 'web-1.example.com'].map(recordType)).toEqual(['A', 'AAAA', 'CNAME'])
})

test.each([
  ['verified', undefined],
  ['waiting_for_dns', 'Waiting for DNS'],
  ['needs_txt', 'Needs TXT record'],
  ['released', 'Released'],
] as const)('shows a domain that is %s as such', (status, label) => {
  const known = domain(null)
  const verification = { ...known.verification, status }
  expect(verificationBadge({ ...known, verification })?.label).toBe(label)
  // A generated URL needs no DNS record.
  const generated = verificationBadge({ ...known, verification, generated: true })?.label
  expect(generated).toBe(status === 'waiting_for_dns' ? undefined : label)
})

test('shows failing checks of a verified domain', () => {
  const known = domain(null)
  const verification = { ...known.verification, status: 'verified', problem: 'It points elsewhere.' } as const
  expect(verificationBadge({ ...known, verification })?.label).toBe('Verification failing')
  expect(verificationBadge({ ...known, verification, generated: true })).toBeUndefined()
})

import { expect, test } from 'vitest'
import { type AlertKindName, alertKindNames, defaultAlert } from '../../../contract/shared/alert-kinds.ts'
import { resolutionSummary, incidentSummary, type SummaryInput } from './incident-summary.ts'
import type { Reading } from './observer.ts'

type SummaryOptions = Partial<Reading> & {
  subject?: Partial<SummaryInput['subject']>
  alert?: Partial<SummaryInput['alert']>
}

const about = (kind: AlertKindName, { subject, alert, ...reading }: SummaryOptions = {}): SummaryInput => ({
  alert: { ...defaultAlert(kind), kind, ...alert },
  subject: {
    kind: kind.startsWith('container') ? 'container' : 'server',
    name: kind.startsWith('container') ? 'shop-web-1' : 'web-1',
    server_name: 'web-1',
    ...subject,
  },
  reading: { value: true, ...reading },
})

const shop = { subject: { kind: 'application', name: 'shop' } } as const
const host = { subject: { kind: 'certificate', name: 'shop.example.com' } } as const
const url = 'https://shop.example.com/'

test.each<[AlertKindName, SummaryOptions, string, string]>([
  ['server_unreachable', {}, 'web-1 is unreachable.', 'web-1 is reachable again.'],
  ['cpu', { value: 97.2 }, 'CPU usage of web-1 is 97 % (above 90 %).', 'CPU usage of web-1 is back to 97 %.'],
  [
    'memory',
    { value: 90.34 },
    'Memory usage of web-1 is 90.3 % (above 90 %).',
    'Memory usage of web-1 is back to 90.3 %.',
  ],
  [
    'disk',
    { value: 91 },
    'Disk usage of web-1 is 91 % (above 85 %).',
    'Disk usage of web-1 is back to 91 %.',
  ],
  [
    'load',
    { value: 3.24 },
    'Load per core of web-1 is 3.2 (above 2).',
    'Load per core of web-1 is back to 3.2.',
  ],
  [
    'container_cpu',
    { value: 4.04, alert: { comparison: 'below', threshold: 5 } },
    'CPU usage of shop-web-1 on web-1 is 4 % (below 5 %).',
    'CPU usage of shop-web-1 on web-1 is back to 4 %.',
  ],
  [
    'container_memory',
    { value: 95 },
    'Memory usage of shop-web-1 on web-1 is 95 % (above 90 %).',
    'Memory usage of shop-web-1 on web-1 is back to 95 %.',
  ],
  [
    'container_stopped',
    { exit_code: 137 },
    'shop-web-1 on web-1 exited with code 137.',
    'shop-web-1 on web-1 is running again.',
  ],
  [
    'container_unhealthy',
    {},
    'The health check of shop-web-1 on web-1 is failing.',
    'The health check of shop-web-1 on web-1 is no longer failing.',
  ],
  [
    'container_restarting',
    { value: 4, exit_code: 1 },
    'shop-web-1 on web-1 restarted 4 times in 10 minutes (exit code 1).',
    'shop-web-1 on web-1 is no longer restarting.',
  ],
  [
    'container_oom',
    { value: 1, alert: { window_seconds: 3600 } },
    'shop-web-1 on web-1 ran out of memory 1 time in 1 hour.',
    'shop-web-1 on web-1 has not run out of memory for 1 hour.',
  ],
  [
    'deployment_failed',
    { ...shop, detail: 'The image rig/app:2 was not found.' },
    'The deployment of shop failed: The image rig/app:2 was not found.',
    'A later deployment of shop succeeded.',
  ],
  [
    'http_check',
    { ...shop, url, detail: 'returned 502 instead of 2xx, 3xx' },
    'https://shop.example.com/ returned 502 instead of 2xx, 3xx.',
    'https://shop.example.com/ passes the check again.',
  ],
  [
    'certificate_expiry',
    { ...host, value: 6 },
    'The certificate of shop.example.com expires in 6 days.',
    'The certificate of shop.example.com is valid for 6 days.',
  ],
  [
    'certificate_expiry',
    { ...host, value: 0 },
    'The certificate of shop.example.com expires within a day.',
    'The certificate of shop.example.com is valid for less than a day.',
  ],
])('summarizes %s and its resolution', (kind, given, started, over) => {
  expect(incidentSummary(about(kind, given))).toBe(started)
  expect(resolutionSummary(about(kind, given))).toBe(over)
})

test.each([
  [1, 'expires in 1 day'],
  [0, 'expires within a day'],
  [-1, 'has expired'],
  [-3, 'expired 2 days ago'],
])('a certificate with %i whole days left %s', (value, words) => {
  expect(incidentSummary(about('certificate_expiry', { ...host, value }))).toBe(
    `The certificate of shop.example.com ${words}.`,
  )
})

test('renders names and details as plain text on one line', () => {
  const odd = '{{7*7}}${x}<!channel><b>@everyone</b> %s'
  const evil = `${odd}\u001b[31m\nSubject: x\r\n\u202etxt\u0000${'y'.repeat(2_000)}`
  for (const kind of alertKindNames) {
    const given = {
      value: 1,
      url: evil,
      detail: evil,
      exit_code: 1,
      subject: { name: evil, server_name: evil },
    }
    for (const said of [incidentSummary(about(kind, given)), resolutionSummary(about(kind, given))]) {
      expect(said).toContain(odd)
      expect(said).not.toMatch(/[\p{Cc}\u202e]/u)
      expect(said.length).toBeLessThanOrEqual(400)
    }
  }
})

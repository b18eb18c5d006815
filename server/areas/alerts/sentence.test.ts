import { expect, test } from 'vitest'
import { type AlertKindName, alertKindNames, usualOf } from '../../../contract/shared/alert-kinds.ts'
import type { Reading } from './about.ts'
import { overSentenceOf, sentenceOf, type Told } from './sentence.ts'

type Given = Partial<Reading> & { subject?: Partial<Told['subject']>; alert?: Partial<Told['alert']> }

const about = (kind: AlertKindName, { subject, alert, ...reading }: Given = {}): Told => ({
  alert: { ...usualOf(kind), kind, ...alert },
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

test.each<[AlertKindName, Given, string, string]>([
  ['server_unreachable', {}, 'Slipway no longer reaches web-1.', 'Slipway reaches web-1 again.'],
  ['cpu', { value: 97.2 }, 'CPU of web-1 is at 97 % (more than 90 %).', 'CPU of web-1 is at 97 % again.'],
  [
    'memory',
    { value: 90.34 },
    'Memory of web-1 is 90.3 % full (more than 90 %).',
    'Memory of web-1 is 90.3 % full again.',
  ],
  [
    'disk',
    { value: 91 },
    'Disk of web-1 is 91 % full (more than 85 %).',
    'Disk of web-1 is 91 % full again.',
  ],
  [
    'load',
    { value: 3.24 },
    'Load of web-1 is 3.2 for each core (more than 2).',
    'Load of web-1 is 3.2 for each core again.',
  ],
  [
    'container_cpu',
    { value: 4.04, alert: { comparison: 'below', threshold: 5 } },
    'shop-web-1 on web-1 takes 4 % of a core (less than 5 %).',
    'shop-web-1 on web-1 takes 4 % of a core again.',
  ],
  [
    'container_memory',
    { value: 95 },
    'shop-web-1 on web-1 takes 95 % of its memory (more than 90 %).',
    'shop-web-1 on web-1 takes 95 % of its memory again.',
  ],
  [
    'container_stopped',
    { exit_code: 137 },
    'shop-web-1 on web-1 has stopped with exit code 137.',
    'shop-web-1 on web-1 runs again.',
  ],
  [
    'container_unhealthy',
    {},
    'shop-web-1 on web-1 is unhealthy: its health check fails.',
    'shop-web-1 on web-1 is no longer unhealthy.',
  ],
  [
    'container_restarting',
    { value: 4, exit_code: 1 },
    'shop-web-1 on web-1 was started again 4 times in 10 minutes; it ends with exit code 1.',
    'shop-web-1 on web-1 is no longer started again and again.',
  ],
  [
    'container_oom',
    { value: 1, alert: { window_seconds: 3600 } },
    'shop-web-1 on web-1 ran out of memory: the kernel has ended a process of it 1 time in 1 hour.',
    'shop-web-1 on web-1 has not run out of memory for 1 hour.',
  ],
  [
    'deployment_failed',
    { ...shop, detail: 'The image rig/app:2 was not found.' },
    'The deployment of shop has failed: The image rig/app:2 was not found.',
    'A later deployment of shop went well.',
  ],
  [
    'http_check',
    { ...shop, url, detail: 'answers 502 instead of 2xx, 3xx' },
    'https://shop.example.com/ answers 502 instead of 2xx, 3xx.',
    'https://shop.example.com/ answers as it should again.',
  ],
  [
    'certificate_expiry',
    { ...host, value: 6 },
    'The certificate of shop.example.com ends in 6 days.',
    'The certificate of shop.example.com is good for 6 days.',
  ],
])('says in a sentence what is the matter with %s, and that it is over', (kind, given, started, over) => {
  expect(sentenceOf(about(kind, given))).toBe(started)
  expect(overSentenceOf(about(kind, given))).toBe(over)
})

test.each([
  [1, 'ends in 1 day'],
  [0, 'ends within a day'],
  [-1, 'has ended'],
  [-3, 'has ended 2 days ago'],
])('a certificate with %i whole days left %s', (value, words) => {
  expect(sentenceOf(about('certificate_expiry', { ...host, value }))).toBe(
    `The certificate of shop.example.com ${words}.`,
  )
})

test('what others have named or said stays text of one line, whatever it looks like', () => {
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
    for (const said of [sentenceOf(about(kind, given)), overSentenceOf(about(kind, given))]) {
      expect(said).toContain(odd)
      expect(said).not.toMatch(/[\p{Cc}\u202e]/u)
      expect(said.length).toBeLessThanOrEqual(400)
    }
  }
})

import { expect, test } from 'vitest'
import { trustedProxies } from './trusted-proxies.ts'

test('accepts addresses, ranges and the Cloudflare preset, each once', () => {
  const entries = ['cloudflare', ' 10.0.0.0/8', '203.0.113.7', '2001:DB8::/32', '::1', '10.0.0.0/8']
  expect(trustedProxies.parse(entries)).toEqual([
    'cloudflare',
    '10.0.0.0/8',
    '203.0.113.7',
    '2001:db8::/32',
    '::1',
  ])
  expect(trustedProxies.parse([])).toEqual([])
  const small = ['::ffff:10.0.0.0/104', '2002:a00::/24', '2400:cb00::/16', '::1:0:0:0/80', 'fd00::/16']
  expect(trustedProxies.parse(small)).toEqual(small)
})

test.each([
  ['example.com', 'is neither'],
  ['10.0.0.0/33', 'is neither'],
  ['10.0.0/8', 'is neither'],
  ['1.2.3.4 1', 'is neither'],
  ['1.2.3.4\nadd map', 'is neither'],
  ['', 'is neither'],
  ['0.0.0.0/0', 'Use /8 or a smaller one'],
  ['::/0', 'Use /16 or a smaller one'],
  ['0.0.0.0/7', 'Must not trust'],
  ['::ffff:0:0/96', 'Use /104 or a smaller one'],
  ['::ffff:0.0.0.0/96', 'Use /104 or a smaller one'],
  ['::ffff:10.0.0.0/103', 'Use /104 or a smaller one'],
  ['::ffff:0:0/80', 'Must not trust'],
  ['::/16', 'contains every IPv4 address'],
  ['::/80', 'contains every IPv4 address'],
  ['::fffe:0:0/95', 'contains every IPv4 address'],
  ['2002::/16', 'Use /24 or a smaller one'],
  ['2002:a00::/23', 'Use /24 or a smaller one'],
])('refuses %j', (entry, reason) => {
  expect(trustedProxies.safeParse([entry]).error?.issues[0]?.message).toContain(reason)
})

test('accepts at most 100', () => {
  expect(trustedProxies.safeParse(Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`)).success).toBe(false)
})

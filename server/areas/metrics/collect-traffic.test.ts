import { expect, test } from 'vitest'
import type { Traffic } from '../proxies/traffic.ts'
import { toTrafficRates, type TrafficReading } from './collect-traffic.ts'

const traffic = (requests: number, more: Partial<Traffic> = {}): Traffic => ({
  requests,
  responses: requests,
  status2xx: requests,
  status3xx: 0,
  status4xx: 0,
  status5xx: 0,
  bytesIn: requests * 100,
  bytesOut: requests * 1_000,
  responseTime: requests * 12,
  sessions: 3,
  slower: null,
  ...more,
})

const at = (seconds: number, process: string, one?: Traffic): TrafficReading => ({
  at: seconds * 1_000,
  process,
  applications: new Map(one ? [['app_1', one]] : []),
})

test('reports rates per second', () => {
  const before = at(0, 'a', traffic(1_000))
  const now = at(10, 'a', traffic(1_050, { status4xx: 5, responseTime: 1_000 * 12 + 50 * 8, sessions: 7 }))
  expect(toTrafficRates(before, now, 'app_1')).toMatchObject({
    requests: 5,
    status_2xx: 5,
    status_3xx: 0,
    status_4xx: 0.5,
    status_5xx: 0,
    bytes_in: 500,
    bytes_out: 5_000,
    latency_ms: 8,
    sessions: 7,
  })
})

test('reports how many responses were slower than each bound', () => {
  const before = at(0, 'a', traffic(100, { slower: [100, 40, 10] }))
  const now = at(10, 'a', traffic(150, { slower: [150, 60, 10] }))
  const rates = toTrafficRates(before, now, 'app_1')
  expect(rates).toMatchObject({ slower_0: 5, slower_5: 2, slower_10: 0, slower_20: null })
})

test('counts from zero after a proxy restart', () => {
  const now = at(10, 'b', traffic(20))
  expect(toTrafficRates(at(0, 'a', traffic(1_000)), now, 'app_1')).toMatchObject({ requests: 2 })
  expect(toTrafficRates(at(0, 'b', traffic(1_000)), now, 'app_1')).toMatchObject({
    requests: 0,
    bytes_out: 0,
  })
})

test('omits applications that are new, deleted or without requests', () => {
  expect(toTrafficRates(at(0, 'a'), at(10, 'a', traffic(20)), 'app_1')).toMatchObject({ requests: 2 })
  expect(toTrafficRates(at(0, 'a', traffic(20)), at(10, 'a'), 'app_1')).toMatchObject({
    requests: 0,
    sessions: 0,
  })
  const idle = toTrafficRates(at(0, 'a', traffic(20)), at(10, 'a', traffic(20)), 'app_1')
  expect(idle).toMatchObject({ requests: 0, latency_ms: 0, sessions: 3 })
  const connections = at(10, 'a', traffic(20, { responses: 0, responseTime: 0 }))
  expect(toTrafficRates(at(0, 'a'), connections, 'app_1')).toMatchObject({ requests: 2, latency_ms: 0 })
  expect(toTrafficRates(at(10, 'a'), at(10, 'a'), 'app_1')).toBeUndefined()
})

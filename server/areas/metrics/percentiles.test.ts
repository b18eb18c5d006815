import { expect, test } from 'vitest'
import { latencyPercentiles, latencyRates } from './percentiles.ts'

const rates = (...counts: number[]) => latencyRates((index) => counts[index] ?? 0)

test('estimates percentiles within the steps of the histogram', () => {
  // 100 responses: 60 below 5 ms, 30 from 5 to 10 ms, 8 from 10 to 20 ms, 2 from 50 to 100 ms.
  expect(latencyPercentiles(rates(100, 40, 10, 2, 2))).toEqual({
    latency_p50_ms: expect.closeTo(4.17, 2),
    latency_p95_ms: expect.closeTo(16.25, 2),
    latency_p99_ms: expect.closeTo(75, 2),
  })
})

test('reports the last bound for even slower responses', () => {
  const all = Array.from({ length: 12 }, () => 3)
  expect(latencyPercentiles(rates(...all)).latency_p50_ms).toBe(10_000)
})

test('knows none without responses, or where the proxy did not count', () => {
  const none = { latency_p50_ms: null, latency_p95_ms: null, latency_p99_ms: null }
  expect(latencyPercentiles(rates())).toEqual(none)
  expect(latencyPercentiles(latencyRates(() => null))).toEqual(none)
})

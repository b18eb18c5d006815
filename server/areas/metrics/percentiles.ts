import { latencyBounds } from '../../remote/proxy/traffic-counters.ts'
import type { Tables } from '../../tables.ts'

/** Responses per second that took at least the milliseconds in the name; null where the proxy did not count them. */
export type LatencyRates = Pick<Tables['application_samples'], `slower_${(typeof latencyBounds)[number]}`>

export const latencyRates = (rate: (index: number) => number | null): LatencyRates => ({
  slower_0: rate(0),
  slower_5: rate(1),
  slower_10: rate(2),
  slower_20: rate(3),
  slower_50: rate(4),
  slower_100: rate(5),
  slower_200: rate(6),
  slower_500: rate(7),
  slower_1000: rate(8),
  slower_2000: rate(9),
  slower_5000: rate(10),
  slower_10000: rate(11),
})

/** Returns null for every percentile if there were no responses. */
export const latencyPercentiles = (rates: LatencyRates) => ({
  latency_p50_ms: percentile(rates, 0.5),
  latency_p95_ms: percentile(rates, 0.95),
  latency_p99_ms: percentile(rates, 0.99),
})

/** Assumes evenly spread values within a step of the histogram. Values above the last bound are that bound. */
function percentile(rates: LatencyRates, share: number): number | null {
  const counts = latencyBounds.map((bound) => rates[`slower_${bound}`] ?? 0)
  const [all = 0] = counts
  if (all <= 0) return null
  const above = all * (1 - share)
  const index = counts.findLastIndex((count) => count > above)
  const [from = 0, until] = [latencyBounds[index], latencyBounds[index + 1]]
  const [more = 0, less = 0] = [counts[index], counts[index + 1]]
  if (until === undefined) return from
  return from + ((more - above) / (more - less)) * (until - from)
}

/** Part of the time axis that ends now or at a fixed time. */
export interface MetricsSpan {
  key: string
  seconds: number
  /** End as Unix time in seconds; undefined for now. */
  until?: number | undefined
  /** Number of seconds by which the span is shifted into the past. */
  ago?: number
  refresh: number | false
}

/** Ranges to choose from; the first is the default. */
export const ranges = [
  { key: '1h', label: '1 h', title: 'Last hour', seconds: 3_600, refresh: 10 },
  { key: '6h', label: '6 h', title: 'Last 6 hours', seconds: 6 * 3_600, refresh: 10 },
  { key: '24h', label: '24 h', title: 'Last 24 hours', seconds: 86_400, refresh: 30 },
  { key: '7d', label: '7 d', title: 'Last 7 days', seconds: 7 * 86_400, refresh: 60 },
  { key: '30d', label: '30 d', title: 'Last 30 days', seconds: 30 * 86_400, refresh: 60 },
] as const satisfies readonly (MetricsSpan & { label: string; title: string })[]

export type MetricsRange = (typeof ranges)[number]

export const findRange = (key: string | null): MetricsRange =>
  ranges.find((range) => range.key === key) ?? ranges[0]

export interface PastSpan {
  from: number
  until: number
}

export const DAY = 86_400
const RETENTION = 30 * DAY

/** Parses the URL parameters of a past span. Returns undefined if they are missing or invalid. */
export function parsePastSpan(from: string | null, until: string | null): PastSpan | undefined {
  const [start, end] = [from, until].map((text) => Date.parse(text ?? '') / 1000)
  if (start === undefined || end === undefined || !(start < end)) return undefined
  return { from: start, until: end }
}

export const toMetricsSpan = ({ from, until }: PastSpan): MetricsSpan => ({
  key: `${from}-${until}`,
  seconds: until - from,
  until,
  refresh: false,
})

/**
 * Minimum length of a span, so that a chart has enough points. Samples are kept for a day, five-minute averages after
 * that.
 */
const leastSeconds = (from: number, now: number) => (now - from < 23 * 3_600 ? 60 : 1_200)

/** Widens a short selection around its middle and limits it to the time for which metrics are stored. */
export function toZoom(selected: PastSpan, now: number): PastSpan {
  const middle = (selected.from + selected.until) / 2
  const half = Math.max(selected.until - selected.from, leastSeconds(selected.from, now)) / 2
  const until = Math.min(Math.round(middle + half), Math.floor(now))
  const from = Math.min(Math.round(middle - half), until - Math.round(2 * half))
  return { from: Math.max(from, Math.floor(now - RETENTION)), until }
}

/** Returns the preceding span of the same length, or undefined at the end of the retention. */
export const previousSpan = ({ from, until }: PastSpan, now: number): PastSpan | undefined =>
  from <= now - RETENTION ? undefined : { from: from - (until - from), until: from }

/** Returns the following span of the same length, or undefined if the live range is nearly the same. */
export function nextSpan({ from, until }: PastSpan, now: number): PastSpan | undefined {
  const length = until - from
  return until + 1.1 * length > now ? undefined : { from: until, until: until + length }
}

/** Seconds added on both sides, so that interpolation reaches the edges of the chart. */
const MARGIN = 600

export const dayBefore = (span: MetricsSpan): MetricsSpan => ({
  key: `${span.key} day before`,
  seconds: span.seconds + 2 * MARGIN,
  until: span.until,
  ago: DAY - MARGIN,
  refresh: span.refresh && 300,
})

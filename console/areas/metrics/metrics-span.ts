/** A part of the time axis, which ends now or at a fixed time. */
export interface MetricsSpan {
  key: string
  seconds: number
  /** Unix time in seconds; undefined means now. */
  until?: number | undefined
  /** Shifts the span back, in seconds. */
  ago?: number
  refresh: number | false
}

/** The first range is the default. */
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

/** Parses the URL parameters of a past span; undefined if they are none. */
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

/** Samples are kept for a day, then only means of five minutes: a chart needs some points. */
const leastSeconds = (from: number, now: number) => (now - from < 23 * 3_600 ? 60 : 1_200)

/** Widens a short selection around its middle and keeps it within the stored time. */
export function toZoom(selected: PastSpan, now: number): PastSpan {
  const middle = (selected.from + selected.until) / 2
  const half = Math.max(selected.until - selected.from, leastSeconds(selected.from, now)) / 2
  const until = Math.min(Math.round(middle + half), Math.floor(now))
  const from = Math.min(Math.round(middle - half), until - Math.round(2 * half))
  return { from: Math.max(from, Math.floor(now - RETENTION)), until }
}

/** The span of the same length before this one; undefined if this one reaches the end of what is stored. */
export const previousSpan = ({ from, until }: PastSpan, now: number): PastSpan | undefined =>
  from <= now - RETENTION ? undefined : { from: from - (until - from), until: from }

/** The span of the same length after this one; undefined if that is nearly the one which ends now. */
export function nextSpan({ from, until }: PastSpan, now: number): PastSpan | undefined {
  const length = until - from
  return until + 1.1 * length > now ? undefined : { from: until, until: until + length }
}

/** On both sides, so that interpolation reaches the edges. */
const MARGIN = 600

export const dayBefore = (span: MetricsSpan): MetricsSpan => ({
  key: `${span.key} day before`,
  seconds: span.seconds + 2 * MARGIN,
  until: span.until,
  ago: DAY - MARGIN,
  refresh: span.refresh && 300,
})

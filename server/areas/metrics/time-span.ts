const HOUR = 3_600_000
/** Retention of roll-ups. */
const MAX_SPAN = 30 * 24 * HOUR
/** Maximum of a chart, plus one for the time of the call itself. */
const MAX_POINTS = 361
/** The shortest step exceeds the sampling interval, so that an empty step is a gap. */
const steps = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200] as const

export interface TimeSpan {
  since: Date
  stepSeconds: number
}

/** Aligned to whole steps, so that two calls return the same times. */
export function toTimeSpan(now: Date, given?: string): TimeSpan {
  const wanted = given === undefined ? now.getTime() - HOUR : new Date(given).getTime()
  const since = Math.max(wanted, now.getTime() - MAX_SPAN)
  const seconds = (now.getTime() - since) / 1_000
  const stepSeconds = steps.find((step) => seconds / step <= MAX_POINTS) ?? 7_200
  const step = stepSeconds * 1_000
  return { since: new Date(Math.floor(since / step) * step), stepSeconds }
}

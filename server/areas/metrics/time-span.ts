const HOUR = 3_600_000
/** How long roll-ups are kept. */
const FARTHEST = 30 * 24 * HOUR
/** A chart shows no more; and one, for the time that the call itself took. */
const MOST_POINTS = 361
/** The shortest is longer than the pause between samples, so that an empty one is a gap. */
const steps = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200] as const

export interface TimeSpan {
  since: Date
  stepSeconds: number
}

/** Begins with a whole step, so that the points of two calls lie at the same times. */
export function toTimeSpan(now: Date, given?: string): TimeSpan {
  const wanted = given === undefined ? now.getTime() - HOUR : new Date(given).getTime()
  const since = Math.max(wanted, now.getTime() - FARTHEST)
  const seconds = (now.getTime() - since) / 1_000
  const stepSeconds = steps.find((step) => seconds / step <= MOST_POINTS) ?? 7_200
  const step = stepSeconds * 1_000
  return { since: new Date(Math.floor(since / step) * step), stepSeconds }
}

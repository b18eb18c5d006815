import type { Interval } from './records.ts'

export const day = 86_400

/** The end of the period that `at` lies in, counted from the anchor: the 31st becomes the last of a shorter month. */
export function periodEnd(
  anchor: number,
  { interval, interval_count }: { interval: Interval; interval_count: number },
  at: number,
): number {
  for (let count = 1; ; count++) {
    const end = after(anchor, interval, count * interval_count)
    if (end > at) return end
  }
}

function after(anchor: number, interval: Interval, count: number): number {
  if (interval === 'day') return anchor + count * day
  if (interval === 'week') return anchor + count * 7 * day
  const from = new Date(anchor * 1000)
  const month = from.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const to = new Date(anchor * 1000)
  to.setUTCFullYear(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), last))
  return Math.floor(to.getTime() / 1000)
}

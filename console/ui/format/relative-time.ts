const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** "3 minutes ago", "in 2 days"; "just now" for less than a minute. Rounds past times down and future times to the nearest unit. */
export function relativeTime(then: Date, now: Date): string {
  const seconds = Math.round((then.getTime() - now.getTime()) / 1000)
  const counted = seconds > 0 ? nearest(seconds) : seconds
  const found = units.find(([, size]) => Math.abs(counted) >= size)
  if (!found) return seconds > 10 ? 'in a moment' : 'just now'
  const [unit, size] = found
  return words.format(counted > 0 ? Math.round(counted / size) : Math.trunc(counted / size), unit)
}

/** Carries over to the next unit: 60 minutes are 1 hour. */
function nearest(seconds: number): number {
  if (seconds < 60) return seconds
  const size = seconds < 3_570 ? 60 : seconds < 84_600 ? 3_600 : 86_400
  return Math.round(seconds / size) * size
}

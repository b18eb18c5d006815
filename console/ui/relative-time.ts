const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** "3 minutes ago", "in 2 days"; under a minute "just now". */
export function relativeTime(then: Date, now: Date): string {
  const seconds = Math.round((then.getTime() - now.getTime()) / 1000)
  const found = units.find(([, size]) => Math.abs(seconds) >= size)
  if (!found) return seconds > 10 ? 'in a moment' : 'just now'
  const [unit, size] = found
  return words.format(Math.trunc(seconds / size), unit)
}

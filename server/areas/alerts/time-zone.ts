/** Constant formats: creating one is slow, and there are few time zones, whose names are not case-sensitive. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatter(timezone: string): Intl.DateTimeFormat {
  const name = timezone.toLowerCase()
  const known = formats.get(name)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(name, made)
  return made
}

export function isTimezone(name: string): boolean {
  try {
    return formatter(name).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Returns the local time as if it were UTC. */
export function wallClock(timezone: string, at: number): number {
  const parts = new Map(
    formatter(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

const DAY = 86_400_000
const offsetAt = (timezone: string, at: number) => wallClock(timezone, at) - Math.floor(at / 1000) * 1000

/**
 * Returns both times when the clock is set back and local time repeats. When the clock skips the local time, returns
 * the time of the change.
 */
export function wallClockToInstants(timezone: string, shown: number): { first: number; last: number } {
  const offsets = [offsetAt(timezone, shown - DAY), offsetAt(timezone, shown + DAY)]
  const found = offsets
    .map((offset) => shown - offset)
    .filter((moment) => wallClock(timezone, moment) === shown)
  if (found.length > 0) return { first: Math.min(...found), last: Math.max(...found) }
  const change = changeBetween(timezone, shown - DAY, shown + DAY)
  return { first: change, last: change }
}

/** Finds the second at which the offset changes. */
function changeBetween(timezone: string, from: number, to: number): number {
  const before = offsetAt(timezone, from)
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(timezone, middle) === before) low = middle
    else high = middle
  }
  return high
}

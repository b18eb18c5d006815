import { useSyncExternalStore } from 'react'

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

export function Time({ at }: { at: string }) {
  const now = useNow()
  const then = new Date(at)
  return (
    <time dateTime={at} title={exact.format(then)} className="whitespace-nowrap">
      {relativeTime(then, new Date(now))}
    </time>
  )
}

export function Day({ at }: { at: string }) {
  const then = new Date(at)
  return (
    <time dateTime={at} title={exact.format(then)} className="whitespace-nowrap">
      {day.format(then)}
    </time>
  )
}

export const DateTime = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {exact.format(new Date(at))}
  </time>
)

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/**
 * Formats a relative time, such as “3 minutes ago”, “in 2 days” or “just now”. Past times are rounded down, future
 * times to the nearest unit.
 */
export function relativeTime(then: Date, now: Date): string {
  const seconds = Math.round((then.getTime() - now.getTime()) / 1000)
  const counted = seconds > 0 ? nearest(seconds) : seconds
  const found = units.find(([, size]) => Math.abs(counted) >= size)
  if (!found) return seconds > 10 ? 'in a moment' : 'just now'
  const [unit, size] = found
  return words.format(counted > 0 ? Math.round(counted / size) : Math.trunc(counted / size), unit)
}

/** Formats an age, such as “3 days” or “5 minutes”. Seconds are not counted. */
export function formatAge(from: Date, now: Date): string {
  const seconds = (now.getTime() - from.getTime()) / 1000
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['minute', 60]
  const count = Math.max(1, Math.trunc(seconds / size))
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** Rounds to the nearest unit and carries over, so that 60 minutes are 1 hour. */
function nearest(seconds: number): number {
  if (seconds < 60) return seconds
  const size = seconds < 3_570 ? 60 : seconds < 84_600 ? 3_600 : 86_400
  return Math.round(seconds / size) * size
}

/** Returns the current time. It changes every ten seconds, which refreshes relative times. */
export const useNow = () => useSyncExternalStore(everyTenSeconds, roundedNow)

function everyTenSeconds(listener: () => void) {
  const timer = setInterval(listener, 10_000)
  return () => clearInterval(timer)
}

const roundedNow = () => Math.floor(Date.now() / 10_000) * 10_000

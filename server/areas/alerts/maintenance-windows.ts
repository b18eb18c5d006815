import type { z } from 'zod'
import type { maintenanceWindow } from '../../../contract/alerts.ts'

type Window = z.output<typeof maintenanceWindow>
type Weekly = Extract<Window, { kind: 'weekly' }>

export interface MuteSettings {
  muted_until: Date | null
  windows: readonly Window[]
}

interface Span {
  from: number
  to: number
}

/** Consecutive windows may never end, so stop after this many. */
const MAX_WINDOWS = 20
const MINUTE = 60_000
const DAY = 86_400_000

/** Returns when the mute and the maintenance windows that silence an alert end; null if nothing silences it. */
export function quietUntil({ muted_until, windows }: MuteSettings, now: Date): Date | null {
  const muted = muted_until && muted_until > now ? muted_until.getTime() : now.getTime()
  let until = muted
  for (let step = 0; step < MAX_WINDOWS; step += 1) {
    const later = Math.max(...windows.map((window) => windowEnd(window, until)), until)
    if (later === until) break
    until = later
  }
  return until > now.getTime() ? new Date(until) : null
}

function windowEnd(window: Window, at: number): number {
  const spans =
    window.kind === 'once'
      ? [{ from: Date.parse(window.from), to: Date.parse(window.to) }]
      : spansAround(window, at)
  return Math.max(...spans.filter(({ from, to }) => from <= at && at < to).map(({ to }) => to), at)
}

/** Includes the span of the previous day, which may extend past midnight. */
function spansAround(window: Weekly, at: number): Span[] {
  const today = Math.floor(wallClock(window.timezone, at) / DAY) * DAY
  return [today - DAY, today]
    .filter((day) => window.days.includes(new Date(day).getUTCDay()))
    .map((day) => spanOn(window, day))
}

function spanOn({ from, to, timezone }: Weekly, day: number): Span {
  const length = (toMinutes(to) - toMinutes(from) + 1440) % 1440
  const begins = day + toMinutes(from) * MINUTE
  const { first } = wallClockToInstants(timezone, begins)
  const { last } = wallClockToInstants(timezone, begins + length * MINUTE)
  // The clock change skipped the window, so it starts right after the change with its usual length.
  return { from: first, to: last > first ? last : first + length * MINUTE }
}

function toMinutes(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

/** Caches formats, because creating one is slow. Keys are in lower case, which limits them to the few time zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatter(timezone: string): Intl.DateTimeFormat {
  const name = timezone.toLowerCase()
  const known = formats.get(name)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(name, format)
  return format
}

export function isTimezone(name: string): boolean {
  try {
    return formatter(name).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Returns the local time as if it were UTC. */
function wallClock(timezone: string, at: number): number {
  const parts = new Map(
    formatter(timezone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

const offsetAt = (timezone: string, at: number) => wallClock(timezone, at) - Math.floor(at / 1000) * 1000

/** Local time repeats when the clock is set back; a skipped local time becomes the time of the change. */
function wallClockToInstants(timezone: string, shown: number): { first: number; last: number } {
  const offsets = [offsetAt(timezone, shown - DAY), offsetAt(timezone, shown + DAY)]
  const candidates = offsets
    .map((offset) => shown - offset)
    .filter((moment) => wallClock(timezone, moment) === shown)
  if (candidates.length > 0) return { first: Math.min(...candidates), last: Math.max(...candidates) }
  const change = changeBetween(timezone, shown - DAY, shown + DAY)
  return { first: change, last: change }
}

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

import type { z } from 'zod'
import type { maintenanceWindow } from '../../../contract/alerts.ts'
import { wallClockToInstants, wallClock } from './time-zone.ts'

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

/** Returns when the mute or maintenance window ends, or null when notifications are not muted. */
export function quietUntil({ muted_until, windows }: MuteSettings, now: Date): Date | null {
  const muted = muted_until && muted_until > now ? muted_until.getTime() : now.getTime()
  let until = muted
  // Another window may start where one ends.
  for (let step = 0; step < MAX_WINDOWS; step += 1) {
    const later = Math.max(...windows.map((window) => endOf(window, until)), until)
    if (later === until) break
    until = later
  }
  return until > now.getTime() ? new Date(until) : null
}

/** Returns `at` itself when the window is not active. */
function endOf(window: Window, at: number): number {
  const spans =
    window.kind === 'once'
      ? [{ from: Date.parse(window.from), to: Date.parse(window.to) }]
      : spansAround(window, at)
  return Math.max(...spans.filter(({ from, to }) => from <= at && at < to).map(({ to }) => to), at)
}

/** Includes the previous day, because its window may extend past midnight. */
function spansAround(window: Weekly, at: number): Span[] {
  const today = Math.floor(wallClock(window.timezone, at) / DAY) * DAY
  return [today - DAY, today]
    .filter((day) => window.days.includes(new Date(day).getUTCDay()))
    .map((day) => spanOn(window, day))
}

function spanOn({ from, to, timezone }: Weekly, day: number): Span {
  const length = (minutesOf(to) - minutesOf(from) + 1440) % 1440
  const begins = day + minutesOf(from) * MINUTE
  const { first } = wallClockToInstants(timezone, begins)
  const { last } = wallClockToInstants(timezone, begins + length * MINUTE)
  // The clock change skipped the window, so it starts right after the change with its usual length.
  return { from: first, to: last > first ? last : first + length * MINUTE }
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

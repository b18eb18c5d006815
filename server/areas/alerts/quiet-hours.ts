import type { z } from 'zod'
import type { maintenanceWindow } from '../../../contract/alerts.ts'
import { momentsOf, wallClock } from './time-zone.ts'

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

/** Windows that follow one another for ever have no end; so many are looked at. */
const MOST = 20
const MINUTE = 60_000
const DAY = 86_400_000

/** Until when nobody is told of it: muted, or in a maintenance window. Nothing when it is not quiet. */
export function quietUntil({ muted_until, windows }: MuteSettings, now: Date): Date | null {
  const muted = muted_until && muted_until > now ? muted_until.getTime() : now.getTime()
  let until = muted
  // Where one ends, another may have begun.
  for (let step = 0; step < MOST; step += 1) {
    const later = Math.max(...windows.map((window) => endOf(window, until)), until)
    if (later === until) break
    until = later
  }
  return until > now.getTime() ? new Date(until) : null
}

/** When the window ends that this moment lies in; the moment itself where it lies in none. */
function endOf(window: Window, at: number): number {
  const spans =
    window.kind === 'once'
      ? [{ from: Date.parse(window.from), to: Date.parse(window.to) }]
      : spansAround(window, at)
  return Math.max(...spans.filter(({ from, to }) => from <= at && at < to).map(({ to }) => to), at)
}

/** Those that begin the day before, of which one may still last, and on this day. */
function spansAround(window: Weekly, at: number): Span[] {
  const today = Math.floor(wallClock(window.timezone, at) / DAY) * DAY
  return [today - DAY, today]
    .filter((day) => window.days.includes(new Date(day).getUTCDay()))
    .map((day) => spanOn(window, day))
}

function spanOn({ from, to, timezone }: Weekly, day: number): Span {
  const length = (minutesOf(to) - minutesOf(from) + 1440) % 1440
  const begins = day + minutesOf(from) * MINUTE
  const { first } = momentsOf(timezone, begins)
  const { last } = momentsOf(timezone, begins + length * MINUTE)
  // The clock was put forward over all of it: it is as long as on other days, and comes right after.
  return { from: first, to: last > first ? last : first + length * MINUTE }
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

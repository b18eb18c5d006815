import { toLocalTime } from '../../lib/local-time.ts'
import type { Alert } from './queries.ts'

export type MaintenanceWindow = Alert['windows'][number]

/** Form values of a maintenance window. A one-time window is entered in the time zone of the browser. */
export interface MaintenanceWindowDraft {
  key: string
  kind: MaintenanceWindow['kind']
  days: readonly number[]
  from: string
  to: string
  timezone: string
  begins: string
  ends: string
}

let made = 0

/** Creates a window on Sunday night, a common time for maintenance. */
export const newWindowDraft = (): MaintenanceWindowDraft => ({
  key: `window ${(made += 1)}`,
  kind: 'weekly',
  days: [0],
  from: '02:00',
  to: '04:00',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  begins: '',
  ends: '',
})

export function toWindowDraft(window: MaintenanceWindow): MaintenanceWindowDraft {
  const fresh = newWindowDraft()
  return window.kind === 'weekly'
    ? { ...fresh, ...window }
    : {
        ...fresh,
        kind: 'once',
        begins: toLocalTime(new Date(window.from)),
        ends: toLocalTime(new Date(window.to)),
      }
}

export function readWindow(draft: MaintenanceWindowDraft): MaintenanceWindow | undefined {
  if (draft.kind === 'weekly') {
    const { days, from, to, timezone } = draft
    return { kind: 'weekly', days: days.toSorted((a, b) => a - b), from, to, timezone }
  }
  const [from, to] = [new Date(draft.begins), new Date(draft.ends)]
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return undefined
  return { kind: 'once', from: from.toISOString(), to: to.toISOString() }
}

export const weekdays = [
  { day: 1, short: 'Mo', name: 'Monday' },
  { day: 2, short: 'Tu', name: 'Tuesday' },
  { day: 3, short: 'We', name: 'Wednesday' },
  { day: 4, short: 'Th', name: 'Thursday' },
  { day: 5, short: 'Fr', name: 'Friday' },
  { day: 6, short: 'Sa', name: 'Saturday' },
  { day: 0, short: 'Su', name: 'Sunday' },
] as const

/** A duration as typed: a number and a unit. */
export interface Duration {
  amount: string
  unit: DurationUnit
}

const sizes = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const
export type DurationUnit = keyof typeof sizes

export const durationUnits: readonly DurationUnit[] = ['seconds', 'minutes', 'hours', 'days']

export const readUnit = (value: string): DurationUnit | undefined =>
  durationUnits.find((unit) => unit === value)

export function toDuration(seconds: number): Duration {
  const unit =
    durationUnits.toReversed().find((unit) => seconds >= sizes[unit] && seconds % sizes[unit] === 0) ??
    (seconds === 0 ? 'minutes' : 'seconds')
  return { amount: String(seconds / sizes[unit]), unit }
}

export const toSeconds = (amount: number, unit: DurationUnit) => Math.round(amount * sizes[unit])

/** "0.4 s", "12 s", "3 min 5 s", "1 h 2 min". */
export function formatElapsed(from: string, to: string): string {
  const seconds = Math.max(0, Date.parse(to) - Date.parse(from)) / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return joined([Math.floor(whole / 60), 'min'], [whole % 60, 's'])
  const minutes = Math.round(whole / 60)
  return joined([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min'])
}

const joined = (...parts: [number, string][]) =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')

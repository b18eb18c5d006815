/** Duration as typed: a number and a unit. */
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

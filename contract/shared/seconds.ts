import { z } from 'zod'
import { formatCount } from './format-list.ts'

export const DAY = 86_400

export const seconds = (least: number, most: number) =>
  z
    .number()
    .int({ error: 'Must be a whole number of seconds.' })
    .min(least, { error: `Must be at least ${formatSeconds(least)}.` })
    .max(most, { error: `Must be at most ${formatSeconds(most)}.` })

export function formatSeconds(seconds: number): string {
  const [size, unit] = (
    [
      [DAY, 'day'],
      [3_600, 'hour'],
      [60, 'minute'],
      [1, 'second'],
    ] as const
  ).find(([size]) => seconds > 0 && seconds % size === 0) ?? [1, 'second']
  return formatCount(seconds / size, unit)
}

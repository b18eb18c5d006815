import { formatCount } from '../../../../contract/shared/format-list.ts'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Uses at most two units: `2 hours 5 minutes`. */
export function formatDuration(from: Date, to: Date): string {
  let left = Math.max(1, Math.round((to.getTime() - from.getTime()) / 1_000))
  const first = units.findIndex(([, seconds]) => left >= seconds)
  const parts = units.slice(first, first + 2).flatMap(([unit, seconds]) => {
    const count = Math.floor(left / seconds)
    left %= seconds
    return count === 0 ? [] : [formatCount(count, unit)]
  })
  return parts.join(' ')
}

/** Uses UTC, because members are in different time zones. */
export const formatTime = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

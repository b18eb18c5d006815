import { expect, it } from 'vitest'
import { formatAge, relativeTime } from './time.tsx'

const now = new Date('2026-03-10T12:00:00Z')
const inSeconds = (seconds: number) => relativeTime(new Date(now.getTime() + seconds * 1000), now)

it.each([
  [0, 'just now'],
  [-59, 'just now'],
  [8, 'just now'],
  [40, 'in a moment'],
  [-60, '1 minute ago'],
  [-150, '2 minutes ago'],
  [-3599, '59 minutes ago'],
  [-3600, '1 hour ago'],
  [-86_400, '1 day ago'],
  [-8 * 86_400, '1 week ago'],
  [-45 * 86_400, '1 month ago'],
  [-400 * 86_400, '1 year ago'],
  [3 * 86_400, 'in 3 days'],
  [59, 'in a moment'],
  [100, 'in 2 minutes'],
  [3569, 'in 59 minutes'],
  [3599, 'in 1 hour'],
  [5 * 3600 - 9, 'in 5 hours'],
  [86_390, 'in 1 day'],
  [6 * 86_400 + 40_000, 'in 6 days'],
  [6 * 86_400 + 60_000, 'in 1 week'],
  [7 * 86_400 - 5, 'in 1 week'],
  [7 * 86_400, 'in 1 week'],
  [30 * 86_400 - 5, 'in 1 month'],
  [90 * 86_400 - 5, 'in 3 months'],
  [365 * 86_400 - 5, 'in 1 year'],
])('formats %i seconds from now as "%s"', (seconds, words) => {
  expect(inSeconds(seconds)).toBe(words)
})

it('counts an age in its largest unit', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  expect(formatAge(new Date('2026-03-07T11:00:00Z'), now)).toBe('3 days')
  expect(formatAge(new Date('2026-03-10T10:59:00Z'), now)).toBe('1 hour')
  expect(formatAge(new Date('2026-03-10T11:59:50Z'), now)).toBe('1 minute')
})

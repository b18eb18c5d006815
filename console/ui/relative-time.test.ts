import { expect, it } from 'vitest'
import { relativeTime } from './relative-time.ts'

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
])('%i seconds from now reads "%s"', (seconds, words) => {
  expect(inSeconds(seconds)).toBe(words)
})

import { expect, it } from 'vitest'
import { dayAndTime } from './line-time.ts'

it('shows another year', () => {
  const now = new Date(2030, 5, 1)
  expect(dayAndTime(new Date(2030, 0, 31, 9, 5, 0).toISOString(), now)).toBe('31 Jan 09:05:00')
  expect(dayAndTime(new Date(2031, 0, 1, 0, 0, 0, 250).toISOString(), now)).toBe('01 Jan 2031 00:00:00.250')
})

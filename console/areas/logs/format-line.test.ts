import { expect, it } from 'vitest'
import { dayAndTime, parseTimeParam } from './format-line.ts'

it('shows another year', () => {
  const now = new Date(2030, 5, 1)
  expect(dayAndTime(new Date(2030, 0, 31, 9, 5, 0).toISOString(), now)).toBe('31 Jan 09:05:00')
  expect(dayAndTime(new Date(2031, 0, 1, 0, 0, 0, 250).toISOString(), now)).toBe('01 Jan 2031 00:00:00.250')
})

it.each(['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.123456789Z', '2030-01-31T12:00:00+02:00'])(
  'accepts %s',
  (given) => {
    expect(parseTimeParam(given)).toBe(given)
  },
)

it.each([null, '', 'nonsense', '2030', '2030-01-31', '2030-13-31T12:00:00Z', '1969-01-31T12:00:00Z'])(
  'refuses %s',
  (given) => {
    expect(parseTimeParam(given)).toBe('')
  },
)

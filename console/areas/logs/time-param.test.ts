import { expect, it } from 'vitest'
import { parseTimeParam } from './time-param.ts'

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

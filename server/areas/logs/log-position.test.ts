import { expect, test } from 'vitest'
import { formatPosition, parsePosition, toDockerSeconds, toStamp } from './log-position.ts'

test.each([
  ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.000000000Z'],
  ['2030-01-31T12:00:00.5+02:00', '2030-01-31T10:00:00.500000000Z'],
  ['2030-01-31T12:00:00.123456789Z', '2030-01-31T12:00:00.123456789Z'],
  ['0', '1970-01-01T00:00:00.000000000Z'],
  ['1700000000.25', '2023-11-14T22:13:20.250000000Z'],
])('converts %s to %s', (moment, stamp) => {
  expect(toStamp(moment)).toBe(stamp)
})

test("formats Docker's seconds, also for an earlier time", () => {
  expect(toDockerSeconds('2023-11-14T22:13:20.250000001Z')).toBe('1700000000.250000001')
  expect(toDockerSeconds('2023-11-14T22:13:20.250000001Z', 1)).toBe('1699999999.250000001')
  expect(toDockerSeconds('1970-01-01T00:00:00.000000000Z', 1)).toBe('0.000000000')
})

test('parses its own IDs and nothing else', () => {
  const place = { stamp: '2030-01-31T12:00:00.123456789Z', ordinal: 3 }
  expect(parsePosition(formatPosition(place))).toEqual(place)
  for (const id of [undefined, '', 'x', '12', '2030-01-31T12:00:00Z.0', '2030-13-31T12:00:00.123456789Z.0'])
    expect(parsePosition(id)).toBeUndefined()
})

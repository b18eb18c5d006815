import { expect, test } from 'vitest'
import {
  formatPosition,
  LogBatch,
  type LogPosition,
  parsePosition,
  toDockerSeconds,
  toStamp,
} from './log-batch.ts'

const at = (second: number) => `2030-01-31T12:00:0${second}.000000000Z`
const batchOf = (...lines: [second: number, ordinal: number, text: string][]) => {
  const batch = new LogBatch()
  for (const [second, ordinal, text] of lines) batch.add(at(second), ordinal, text)
  return batch
}

test('drops repeated lines per stream', () => {
  const read = new Map<number, LogPosition>()
  const first = batchOf([1, 0, 'a'], [3, 0, 'b'], [3, 2, 'c'], [2, 1, 'late'])
  expect(first.behind(read).text(false)).toBe('a\nb\nc\nlate\n')
  const again = batchOf([3, 0, 'b'], [3, 2, 'c'], [2, 1, 'late'])
  expect(again.behind(read)).toMatchObject({ size: 0, last: undefined })
  const more = batchOf([3, 2, 'c'], [3, 4, 'd'], [4, 1, 'e'])
  expect(more.behind(read)).toMatchObject({ size: 2, last: { stamp: at(4), ordinal: 1 } })
})

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

import { expect, test } from 'vitest'
import { LogBatch } from './log-batch.ts'
import type { LogPosition } from './log-position.ts'

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

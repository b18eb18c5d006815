import { expect, test } from 'vitest'
import { withDayBefore } from './day-before.ts'
import { DAY } from './metrics-span.ts'

const points = (from: number, step: number, values: readonly (number | null)[]) =>
  values.map((value, at) => ({ at: from + at * step, values: [value] }))

test('appends the values of 24 hours earlier, and keeps gaps on both days', () => {
  const start = 10 * DAY
  const current = [...points(start, 60, [1, 2]), ...points(start + 180, 60, [4])]
  const before = points(start - DAY, 60, [10, null, 30, 40])
  const all = withDayBefore(
    { points: current, step: 60, from: start, until: start + 240 },
    { points: before, step: 60 },
    1,
  )
  expect(all.map(({ at, values }) => [at - start, ...values])).toEqual([
    [0, 1, 10],
    [60, 2, null],
    [120, null, 30],
    [180, 4, 40],
  ])
})

test('interpolates older points that are further apart, but not across gaps', () => {
  const start = 10 * DAY
  const step = 60
  const before = [...points(start - DAY - 300, 300, [0, 300]), ...points(start - DAY + 900, 300, [0])]
  const all = withDayBefore(
    { points: [], step, from: start, until: start + 300 },
    { points: before, step: 300 },
    1,
  )
  // The middle of a one-minute step lies two minutes before the middle of a five-minute step.
  expect(all.map(({ values }) => values)).toEqual([
    [null, 180],
    [null, 240],
    [null, 300],
    [null, null],
    [null, null],
  ])
})

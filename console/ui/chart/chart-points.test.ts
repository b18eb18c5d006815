import { expect, test } from 'vitest'
import { findGaps, isolatedIndexes, latestValues, toColumns, valueRange } from './chart-points.ts'

test('inserts a gap when points are more than a step apart', () => {
  const points = [0, 15, 30, 90, 105].map((at) => ({ at, values: [at, -at] }))
  expect(toColumns(points, 15, 2)).toEqual([
    [0, 15, 30, 45, 60, 75, 90, 105],
    [0, 15, 30, null, null, null, 90, 105],
    [-0, -15, -30, null, null, null, -90, -105],
  ])
})

test('adds no gap without points', () => {
  expect(toColumns([], 15, 1)).toEqual([[], []])
})

test('interrupts a line where nothing happened for long', () => {
  const column = (idle: number) => {
    const values = [1, ...Array.from({ length: idle }, () => undefined), 2]
    return toColumns(
      values.map((value, at) => ({ at: at * 15, values: [value] })),
      15,
      1,
    )[1]
  }
  expect(column(2)).toEqual([1, undefined, undefined, 2])
  expect(column(10)).not.toContain(null)
  expect(column(11)?.slice(1, -1)).toEqual(Array.from({ length: 11 }, () => null))
})

test('ignores gaps in the extent', () => {
  expect(valueRange([4, null, 1, undefined, 1])).toEqual({ least: 1, most: 4, mean: 2 })
  expect(valueRange([null, undefined])).toBeUndefined()
})

test('finds values between two gaps', () => {
  expect(isolatedIndexes([1, null, 2, 3, null, 4, null])).toEqual([0, 5])
  expect(isolatedIndexes([1, undefined, 2, null, undefined, 3, undefined])).toEqual([5])
  expect(isolatedIndexes([1])).toEqual([0])
  expect(isolatedIndexes([])).toEqual([])
})

test('finds the last value, with its time if it is more than three steps and two minutes old', () => {
  expect(latestValues([0, 15], [[1, 2]], 15, 135)).toEqual({ values: [2] })
  expect(latestValues([0, 15], [[1, null]], 15, 45)).toEqual({ values: [1] })
  expect(latestValues([0, 15], [[1, 2]], 15, 136)).toEqual({ values: [2], outdated: 15 })
  expect(latestValues([0, 300], [[1, 2]], 300, 1200)).toEqual({ values: [2] })
  expect(latestValues([0, 15], [[null, null]], 15, 15)).toEqual({ values: [undefined] })
  expect(latestValues([], [], 15, 15)).toEqual({ values: [] })
})

test('leaves out values that are much older than those of the other lines', () => {
  expect(
    latestValues(
      [0, 120],
      [
        [1, null],
        [null, 2],
      ],
      15,
      120,
    ),
  ).toEqual({ values: [1, 2] })
  expect(
    latestValues(
      [0, 121],
      [
        [1, null],
        [null, 2],
      ],
      15,
      121,
    ),
  ).toEqual({ values: [undefined, 2] })
})

test('finds gaps of all lines between values', () => {
  const columns: Parameters<typeof findGaps>[0] = [
    [0, 15, 30, 45, 60, 75],
    [null, 1, null, 2, undefined, null],
    [null, 1, null, null, null, null],
  ]
  expect(findGaps(columns)).toEqual([{ from: 15, to: 45 }])
})

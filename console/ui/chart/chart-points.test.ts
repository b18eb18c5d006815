import { expect, test } from 'vitest'
import { valueRange, hasEnded, isolatedIndexes, toColumns } from './chart-points.ts'

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

test('ignores gaps in the extent', () => {
  expect(valueRange([4, null, 1, 1])).toEqual({ least: 1, most: 4, mean: 2 })
  expect(valueRange([null])).toBeUndefined()
})

test('finds values between two gaps', () => {
  expect(isolatedIndexes([1, null, 2, 3, null, 4, null])).toEqual([0, 5])
  expect(isolatedIndexes([1])).toEqual([0])
  expect(isolatedIndexes([])).toEqual([])
})

test('ends a line when its last point is more than three steps old', () => {
  expect(hasEnded([0, 15], 15, 60)).toBe(false)
  expect(hasEnded([0, 15], 15, 61)).toBe(true)
  expect(hasEnded([], 15, 61)).toBe(false)
})

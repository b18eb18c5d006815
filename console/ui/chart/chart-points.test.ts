import { expect, test } from 'vitest'
import { extent, hasEnded, lonely, toColumns } from './chart-points.ts'

test('a silence longer than a step is a gap', () => {
  const points = [0, 15, 30, 90, 105].map((at) => ({ at, values: [at, -at] }))
  expect(toColumns(points, 15, 2)).toEqual([
    [0, 15, 30, 45, 60, 75, 90, 105],
    [0, 15, 30, null, null, null, 90, 105],
    [-0, -15, -30, null, null, null, -90, -105],
  ])
})

test('no points are no gap', () => {
  expect(toColumns([], 15, 1)).toEqual([[], []])
})

test('the extent leaves gaps out', () => {
  expect(extent([4, null, 1, 1])).toEqual({ least: 1, most: 4, mean: 2 })
  expect(extent([null])).toBeUndefined()
})

test('a value between two gaps is lonely', () => {
  expect(lonely([1, null, 2, 3, null, 4, null])).toEqual([0, 5])
  expect(lonely([1])).toEqual([0])
  expect(lonely([])).toEqual([])
})

test('a line is over once its last point is more than three steps old', () => {
  expect(hasEnded([0, 15], 15, 60)).toBe(false)
  expect(hasEnded([0, 15], 15, 61)).toBe(true)
  expect(hasEnded([], 15, 61)).toBe(false)
})

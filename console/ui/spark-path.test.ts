import { expect, test } from 'vitest'
import { changeScale, sparkPaths } from './spark-path.ts'

test('draws values from the lower to the upper edge', () => {
  expect(sparkPaths([0, 5, 10])).toEqual({
    line: 'M0 22.5L50 12L100 1.5',
    area: 'M0 24L0 22.5L50 12L100 1.5L100 24Z',
  })
})

test('shows gaps as gaps, and a value between two of them as a dot', () => {
  expect(sparkPaths([1, 1, null, 1, null]).line).toBe('M0 1.5L25 1.5M75 1.5h0')
})

test('scales to a given maximum and keeps higher values inside', () => {
  expect(sparkPaths([1, 4], { most: 2 }).line).toBe('M0 12L100 1.5')
})

test('shows small changes in the middle, and large ones from zero', () => {
  expect(changeScale([30, 30])).toEqual({ least: 22.5, most: 37.5 })
  expect(changeScale([null, 1, 10])).toEqual({ least: 0, most: 13.5 })
  expect(changeScale([0, null])).toEqual({ least: 0, most: 0 })
  expect(changeScale([])).toEqual({ least: 0, most: 0 })
})

test('draws zeros as a line at the bottom, and nothing without values', () => {
  expect(sparkPaths([0, 0]).line).toBe('M0 22.5L100 22.5')
  expect(sparkPaths([null, null])).toEqual({ line: '', area: '' })
})

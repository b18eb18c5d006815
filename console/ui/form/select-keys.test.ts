import { expect, it } from 'vitest'
import { nextOptionIndex, typeAheadIndex } from './select-keys.ts'

it.each([
  ['ArrowDown', 1, 2],
  ['ArrowDown', 3, 3],
  ['ArrowUp', 1, 0],
  ['ArrowUp', 0, 0],
  ['Home', 2, 0],
  ['End', 1, 3],
  ['x', 1, undefined],
])('%s at option %i of 4 moves to %s', (key, at, to) => {
  expect(nextOptionIndex(key, at, 4)).toBe(to)
})

const labels = ['Owner', 'Admin', 'Member', 'Maintainer']

it.each([
  ['a', 0, 1],
  ['M', 0, 2],
  ['m', 2, 3],
  ['mm', 3, 2],
  ['ma', 2, 3],
  ['me', 2, 2],
  ['o', 3, 0],
  ['z', 0, undefined],
])('%j typed at option %i moves to %s', (typed, at, to) => {
  expect(typeAheadIndex(labels, typed, at)).toBe(to)
})

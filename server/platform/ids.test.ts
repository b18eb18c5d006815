import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('ids tell their kind and are in the order they were made, however many come in a millisecond', () => {
  const ids = Array.from({ length: 40_000 }, () => newId('event', 1_700_000_000_000))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => /^evt_[0-9a-z]{26}$/.test(id))).toBe(true)
})

test('a clock that is set back does not turn the order round', () => {
  const before = newId('event')
  expect(newId('event', 1).localeCompare(before)).toBe(1)
})

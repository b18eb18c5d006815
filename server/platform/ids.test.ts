import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('creates IDs with their kind, sorted by time, many per millisecond', () => {
  const ids = Array.from({ length: 40_000 }, () => newId('event', 1_700_000_000_000))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => /^evt_[0-9a-z]{26}$/.test(id))).toBe(true)
})

test('keeps the order when the clock is set back', () => {
  const before = newId('event')
  expect(newId('event', 1).localeCompare(before)).toBe(1)
})

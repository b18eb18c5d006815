import { expect, it } from 'vitest'
import { matches } from './matches.ts'

it('finds a substring in any text, ignoring case', () => {
  expect(matches('HOP', 'Grace Hopper', 'grace@example.com')).toBe(true)
  expect(matches('example', 'Grace Hopper', 'grace@example.com')).toBe(true)
  expect(matches('ada', 'Grace Hopper', 'grace@example.com')).toBe(false)
})

it('ignores surrounding spaces', () => {
  expect(matches('  hopper ', 'Grace Hopper')).toBe(true)
})

it('matches everything with an empty search', () => {
  expect(matches('', 'Grace Hopper')).toBe(true)
})

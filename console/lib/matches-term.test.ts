import { expect, it } from 'vitest'
import { matchesTerm } from './matches-term.ts'

it('finds a substring in any text, ignoring case', () => {
  expect(matchesTerm('HOP', 'Grace Hopper', 'grace@example.com')).toBe(true)
  expect(matchesTerm('example', 'Grace Hopper', 'grace@example.com')).toBe(true)
  expect(matchesTerm('ada', 'Grace Hopper', 'grace@example.com')).toBe(false)
})

it('ignores surrounding spaces', () => {
  expect(matchesTerm('  hopper ', 'Grace Hopper')).toBe(true)
})

it('matches everything with an empty search', () => {
  expect(matchesTerm('', 'Grace Hopper')).toBe(true)
})

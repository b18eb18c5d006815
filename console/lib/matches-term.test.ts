import { expect, it } from 'vitest'
import { matchesTerm } from './matches-term.ts'

it('finds a part of any text, in whatever case', () => {
  expect(matchesTerm('HOP', 'Grace Hopper', 'grace@example.com')).toBe(true)
  expect(matchesTerm('example', 'Grace Hopper', 'grace@example.com')).toBe(true)
  expect(matchesTerm('ada', 'Grace Hopper', 'grace@example.com')).toBe(false)
})

it('takes no notice of spaces around it', () => {
  expect(matchesTerm('  hopper ', 'Grace Hopper')).toBe(true)
})

it('finds everything when nothing is searched for', () => {
  expect(matchesTerm('', 'Grace Hopper')).toBe(true)
})

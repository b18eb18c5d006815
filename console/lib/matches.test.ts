import { expect, it } from 'vitest'
import { matches } from './matches.ts'

it('finds a part of any text, in whatever case', () => {
  expect(matches('HOP', 'Grace Hopper', 'grace@example.com')).toBe(true)
  expect(matches('example', 'Grace Hopper', 'grace@example.com')).toBe(true)
  expect(matches('ada', 'Grace Hopper', 'grace@example.com')).toBe(false)
})

it('takes no notice of spaces around it', () => {
  expect(matches('  hopper ', 'Grace Hopper')).toBe(true)
})

it('finds everything when nothing is searched for', () => {
  expect(matches('', 'Grace Hopper')).toBe(true)
})

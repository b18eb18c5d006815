import { expect, it } from 'vitest'
import { initials } from './avatar.tsx'

it.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['Grace Brewster Murray Hopper', 'GH'],
  ['grace.hopper@example.com', 'GC'],
  ['  (Joan)  Clarke ', 'JC'],
  ['Øystein Ås', 'ØÅ'],
  ['李 小龙', '李小'],
  ['🚢 Harbour', 'H'],
  ['', ''],
])('abbreviates %j to %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

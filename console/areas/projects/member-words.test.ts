import { expect, test } from 'vitest'
import { changeWords } from './member-words.ts'

test('summarizes changes and names moved applications', () => {
  expect(changeWords([])).toBe('')
  expect(
    changeWords([
      { name: 'shop', member: false },
      { name: 'api', member: false, elsewhere: 'Docks' },
      { name: 'old', member: true },
    ]),
  ).toBe('2 will be added. 1 will be removed. api will move from Docks.')
})

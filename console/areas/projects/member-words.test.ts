import { expect, test } from 'vitest'
import { changeWords } from './member-words.ts'

test('what a choice does is said, and what leaves another project by name', () => {
  expect(changeWords([])).toBe('')
  expect(
    changeWords([
      { name: 'shop', member: false },
      { name: 'api', member: false, elsewhere: 'Docks' },
      { name: 'old', member: true },
    ]),
  ).toBe('2 will be added. 1 will be removed. api will move from Docks.')
})

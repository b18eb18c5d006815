import { expect, test } from 'vitest'
import { describeMemberChanges } from './member-changes.ts'

test('summarizes changes and names moved applications', () => {
  expect(describeMemberChanges('applications', [])).toBe('')
  expect(
    describeMemberChanges('applications', [
      { name: 'shop', member: false },
      { name: 'api', member: false, elsewhere: 'Docks' },
      { name: 'old', member: true },
    ]),
  ).toBe('2 applications will be added. 1 application will be removed. api will move from Docks.')
})

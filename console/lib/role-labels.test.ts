import { expect, test } from 'vitest'
import { readRole, roleOptions } from './role-labels.ts'

test('offers no role above the own one', () => {
  expect(roleOptions('admin').map(({ value }) => value)).toEqual(['admin', 'member', 'viewer'])
  expect(roleOptions('viewer').map(({ label }) => label)).toEqual(['Viewer'])
})

test('parses only valid roles', () => {
  expect(readRole('owner')).toBe('owner')
  expect(readRole('king')).toBeUndefined()
})

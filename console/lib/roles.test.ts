import { expect, test } from 'vitest'
import { readRole, roleOptions } from './roles.ts'

test('offers no role above the one somebody has', () => {
  expect(roleOptions('admin').map(({ value }) => value)).toEqual(['admin', 'member', 'viewer'])
  expect(roleOptions('viewer').map(({ label }) => label)).toEqual(['Viewer'])
})

test('reads a role back from a form and nothing else', () => {
  expect(readRole('owner')).toBe('owner')
  expect(readRole('king')).toBeUndefined()
})

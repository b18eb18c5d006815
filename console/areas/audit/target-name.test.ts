import { expect, test } from 'vitest'
import { targetName } from './target-name.ts'

test('names what something was done to', () => {
  const target = { kind: 'invite', id: 'inv_1', name: 'ada@example.com' }
  expect(targetName({ type: 'member.invited', target })).toBe('ada@example.com')
})

test('does not name somebody twice who left', () => {
  const target = { kind: 'member', id: 'mem_1', name: 'Ada' }
  expect(targetName({ type: 'member.left', target })).toBeUndefined()
})

test('names nothing where there is no target', () => {
  expect(targetName({ type: 'workspace.renamed', target: null })).toBeUndefined()
})

import { expect, test } from 'vitest'
import { canManageMember, isOnlyOwner } from './can-manage-member.ts'

const [owner, admin, member] = [
  { role: 'owner' as const },
  { role: 'admin' as const },
  { role: 'member' as const },
]

test('lets owners manage everyone, admins everyone but owners, and others no one', () => {
  expect([owner, admin, member].map((role) => canManageMember('owner', role))).toEqual([true, true, true])
  expect([owner, admin, member].map((role) => canManageMember('admin', role))).toEqual([false, true, true])
  expect([owner, admin, member].map((role) => canManageMember('member', role))).toEqual([false, false, false])
})

test('detects the only owner', () => {
  expect(isOnlyOwner(owner, [owner, admin])).toBe(true)
  expect(isOnlyOwner(owner, [owner, owner])).toBe(false)
  expect(isOnlyOwner(admin, [owner, admin])).toBe(false)
})

import { type Role, roleAllows } from '../../../contract/shared/permissions.ts'

interface HasRole {
  role: Role
}

export const isOnlyOwner = (member: HasRole, members: readonly HasRole[]) =>
  member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1

/** Returns whether the user can change or remove the member. Only owners manage owners, and the last owner stays. */
export const canManageMember = (mine: Role, member: HasRole) =>
  roleAllows(mine, 'members.manage') && (member.role !== 'owner' || mine === 'owner')

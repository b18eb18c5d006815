import { type Role, isRoleAtLeast, roles } from '../../contract/shared/permissions.ts'
import { byNumber } from '../ui/table/sort.ts'

const words: Record<Role, { label: string; help: string }> = {
  viewer: { label: 'Viewer', help: 'Views everything except secrets.' },
  member: {
    label: 'Member',
    help: 'Deploys and operates applications. Can open shells in containers, but not on servers.',
  },
  admin: { label: 'Admin', help: 'Manages servers (root access), members and settings.' },
  owner: { label: 'Owner', help: 'Everything, including billing, owners and deleting the workspace.' },
}

export const roleLabel = (role: Role) => words[role].label

export const roleOptions = (most: Role) =>
  roles
    .filter((role) => isRoleAtLeast(most, role))
    .map((role) => ({ value: role, ...words[role] }))
    .toReversed()

export const compareByRole = byNumber<{ role: Role }>(
  ({ role }) => roles.indexOf(role),
  ['lowest first', 'highest first'],
)

export const readRole = (value: string): Role | undefined => roles.find((role) => role === value)

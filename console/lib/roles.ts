import { type Role, atLeast, roles } from '../../contract/permissions.ts'
import { byNumber } from '../ui/sort.ts'

const words: Record<Role, { label: string; help: string }> = {
  viewer: { label: 'Viewer', help: 'Sees everything but secrets, and changes nothing.' },
  member: { label: 'Member', help: 'Deploys and operates applications.' },
  admin: { label: 'Admin', help: 'Everything but billing and deleting the workspace.' },
  owner: { label: 'Owner', help: 'Everything.' },
}

export const roleLabel = (role: Role) => words[role].label

/** For a select: the roles that somebody may give, highest first. */
export const roleOptions = (most: Role) =>
  roles
    .filter((role) => atLeast(most, role))
    .map((role) => ({ value: role, ...words[role] }))
    .toReversed()

/** For a table whose rows have a role. */
export const byRole = byNumber<{ role: Role }>(
  ({ role }) => roles.indexOf(role),
  ['lowest first', 'highest first'],
)

export const readRole = (value: string): Role | undefined => roles.find((role) => role === value)

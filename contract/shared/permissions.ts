export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** Every right, the lowest role that holds it, and how the workspace screen words it. */
export const permissions = {
  'workspace.read': { role: 'viewer', says: 'See the workspace and its members' },
  'projects.read': { role: 'viewer', says: 'See projects' },
  'templates.read': { role: 'viewer', says: 'See templates' },
  'registries.read': { role: 'viewer', says: 'See which image registries are known' },
  'servers.read': { role: 'viewer', says: 'See servers' },
  'containers.read': { role: 'viewer', says: 'See containers, their logs and images' },
  'applications.read': { role: 'viewer', says: 'See applications' },
  'deployments.read': { role: 'viewer', says: 'See deployments' },
  'integrations.read': { role: 'viewer', says: 'See connected accounts, and what came in from them' },
  'notifications.read': { role: 'viewer', says: 'See alerts and channels' },
  'api-tokens.manage': { role: 'viewer', says: 'Create API tokens' },
  'projects.manage': {
    role: 'member',
    says: 'Create, change and delete projects, and read the values of their variables',
  },
  'templates.manage': { role: 'member', says: 'Create, change and delete templates of the workspace' },
  'applications.manage': {
    role: 'member',
    says: 'Create, change and delete applications, and read the values of their environment',
  },
  'applications.deploy': {
    role: 'member',
    says: 'Deploy, roll back, restart, stop and start applications',
  },
  'containers.operate': {
    role: 'member',
    says: 'Start, stop and remove containers of applications; pull and remove images',
  },
  'containers.shell': {
    role: 'member',
    says: 'Open terminals and run commands in containers of applications, unless the workspace limits that to admins',
  },
  'alerts.manage': { role: 'member', says: 'Create, change, mute and delete alerts' },
  'servers.manage': { role: 'admin', says: 'Add, import, set up, change and delete servers' },
  'cloud-tokens.manage': { role: 'admin', says: 'Save, check and delete tokens of cloud accounts' },
  'integrations.manage': { role: 'admin', says: 'Connect and disconnect accounts such as GitHub' },
  'registries.manage': { role: 'admin', says: 'Save and delete credentials of image registries' },
  'notifications.manage': {
    role: 'admin',
    says: 'Add, change, test and delete notification channels',
  },
  'servers.root': {
    role: 'admin',
    says: 'Act as root on servers: commands and terminals, host mounts and privileged options, containers with host access or of no application, pruning',
  },
  'workspace.update': { role: 'admin', says: 'Rename the workspace and change its settings' },
  'members.manage': { role: 'admin', says: 'Invite and remove people, change roles' },
  'audit.read': { role: 'admin', says: 'Read and export the audit log' },
  'billing.manage': { role: 'owner', says: 'Choose, change and cancel the plan, and see invoices' },
  'workspace.delete': { role: 'owner', says: 'Delete the workspace' },
  'api-tokens.oversee': { role: 'owner', says: 'See and revoke the API tokens of all members' },
} as const satisfies Record<string, { role: Role; says: string }>

export type Permission = keyof typeof permissions

export const atLeast = (role: Role, least: Role) => roles.indexOf(role) >= roles.indexOf(least)

export const may = (role: Role, permission: Permission) => atLeast(role, permissions[permission].role)

/** What an API token may be used for; each includes those before it. Its owner's role stays the ceiling. */
export const scopes = ['read', 'deploy', 'manage'] as const
export type Scope = (typeof scopes)[number]

/** The least scope with which an API token holds a permission; `session` where no API token ever does. */
export const scopeOf = {
  'workspace.read': 'read',
  'projects.read': 'read',
  'templates.read': 'read',
  'registries.read': 'read',
  'servers.read': 'read',
  'containers.read': 'read',
  'applications.read': 'read',
  'deployments.read': 'read',
  'integrations.read': 'read',
  'notifications.read': 'read',
  'api-tokens.manage': 'session',
  'projects.manage': 'manage',
  'templates.manage': 'manage',
  'applications.manage': 'manage',
  'applications.deploy': 'deploy',
  'containers.operate': 'manage',
  'containers.shell': 'manage',
  'alerts.manage': 'manage',
  'servers.manage': 'manage',
  'cloud-tokens.manage': 'manage',
  'integrations.manage': 'manage',
  'registries.manage': 'manage',
  'notifications.manage': 'manage',
  'servers.root': 'manage',
  'workspace.update': 'manage',
  'members.manage': 'session',
  'audit.read': 'read',
  'billing.manage': 'manage',
  'workspace.delete': 'session',
  'api-tokens.oversee': 'session',
} as const satisfies Record<Permission, Scope | 'session'>

export function scopeIncludes(scope: Scope, permission: Permission): boolean {
  const needed = scopeOf[permission]
  return needed !== 'session' && scopes.indexOf(scope) >= scopes.indexOf(needed)
}

/** Who may open terminals and run commands in containers of applications. */
export const shellAccesses = ['members', 'admins'] as const
export type ShellAccess = (typeof shellAccesses)[number]

/** Whether somebody holds a right in a workspace, whose settings may narrow what the role allows. */
export const mayIn = (
  { role, shell_access }: { role: Role; shell_access: ShellAccess },
  permission: Permission,
) =>
  may(role, permission) &&
  (permission !== 'containers.shell' || shell_access === 'members' || may(role, 'servers.root'))

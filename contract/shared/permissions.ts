export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

export const permissions = {
  'workspace.read': { role: 'viewer', description: 'View the workspace and its members' },
  'projects.read': { role: 'viewer', description: 'View projects' },
  'templates.read': { role: 'viewer', description: 'View templates' },
  'registries.read': { role: 'viewer', description: 'View registries' },
  'servers.read': { role: 'viewer', description: 'View servers' },
  'containers.read': { role: 'viewer', description: 'View containers, logs and images' },
  'applications.read': { role: 'viewer', description: 'View applications' },
  'deployments.read': { role: 'viewer', description: 'View deployments' },
  'integrations.read': { role: 'viewer', description: 'View connected accounts and webhook deliveries' },
  'notifications.read': { role: 'viewer', description: 'View alerts and channels' },
  'api-tokens.manage': { role: 'viewer', description: 'Create API tokens' },
  'projects.manage': {
    role: 'member',
    description: 'Manage projects and read their variables',
  },
  'templates.manage': { role: 'member', description: 'Manage templates of the workspace' },
  'applications.manage': {
    role: 'member',
    description: 'Manage applications and read their environment variables',
  },
  'applications.deploy': {
    role: 'member',
    description: 'Deploy, roll back, restart, stop and start applications',
  },
  'containers.operate': {
    role: 'member',
    description: 'Start, stop and remove containers of applications, pull and remove images',
  },
  'containers.shell': {
    role: 'member',
    description: 'Open terminals and run commands in containers of applications, unless restricted to admins',
  },
  'alerts.manage': { role: 'member', description: 'Manage and mute alerts' },
  'servers.manage': { role: 'admin', description: 'Manage servers' },
  'cloud-tokens.manage': { role: 'admin', description: 'Manage cloud tokens' },
  'integrations.manage': { role: 'admin', description: 'Connect and disconnect accounts such as GitHub' },
  'registries.manage': { role: 'admin', description: 'Manage registry credentials' },
  'notifications.manage': {
    role: 'admin',
    description: 'Manage notification channels',
  },
  'servers.root': {
    role: 'admin',
    description:
      'Root access to servers: commands and terminals, host mounts, privileged options, containers with host access or without an application, pruning',
  },
  'workspace.update': { role: 'admin', description: 'Rename the workspace and change its settings' },
  'members.manage': { role: 'admin', description: 'Invite and remove members, change roles' },
  'audit.read': { role: 'admin', description: 'Read and export the audit log' },
  'billing.manage': { role: 'owner', description: 'Manage the plan and view invoices' },
  'workspace.delete': { role: 'owner', description: 'Delete the workspace' },
  'api-tokens.oversee': { role: 'owner', description: 'View and revoke the API tokens of all members' },
} as const satisfies Record<string, { role: Role; description: string }>

export type Permission = keyof typeof permissions

export const isRoleAtLeast = (role: Role, least: Role) => roles.indexOf(role) >= roles.indexOf(least)

export const roleAllows = (role: Role, permission: Permission) =>
  isRoleAtLeast(role, permissions[permission].role)

/** Scopes of API tokens; each includes the previous ones. The role of the owner remains the upper limit. */
export const scopes = ['read', 'deploy', 'manage'] as const
export type Scope = (typeof scopes)[number]

/** The lowest scope that grants each permission; `session` if no API token can have it. */
export const permissionScopes = {
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
  const needed = permissionScopes[permission]
  return needed !== 'session' && scopes.indexOf(scope) >= scopes.indexOf(needed)
}

export const shellAccesses = ['members', 'admins'] as const
export type ShellAccess = (typeof shellAccesses)[number]

export const roleAllowsInWorkspace = (
  { role, shell_access }: { role: Role; shell_access: ShellAccess },
  permission: Permission,
) =>
  roleAllows(role, permission) &&
  (permission !== 'containers.shell' || shell_access === 'members' || roleAllows(role, 'servers.root'))

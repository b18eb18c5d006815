/** Every address of the console. */
export const paths = {
  signup: '/signup',
  login: '/login',
  loginSuccess: '/login/success',
  join: '/join-workspace',
  verify: '/verify',
  forgotPassword: '/forgot-password',
  home: '/dashboard',
  projects: '/dashboard/projects',
  servers: '/dashboard/servers',
  importServers: '/dashboard/import/servers',
  applications: '/dashboard/applications',
  notifications: '/dashboard/notifications',
  workspace: '/dashboard/workspace',
  settings: '/dashboard/settings',
  choosePlan: '/dashboard/billing/choose-plan',
} as const

export type ServerTab = 'commands' | 'terminal' | 'settings'

/** A server's page; without a tab its overview. */
export const serverPath = (id: string, tab?: ServerTab) =>
  [paths.servers, encodeURIComponent(id), ...(tab ? [tab] : [])].join('/')

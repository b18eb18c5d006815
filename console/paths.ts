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
  applications: '/dashboard/applications',
  notifications: '/dashboard/notifications',
  workspace: '/dashboard/workspace',
  settings: '/dashboard/settings',
  choosePlan: '/dashboard/billing/choose-plan',
} as const

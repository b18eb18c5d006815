import { z } from 'zod'
import { newPassword, password } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { id, idInput } from './shared/ids.ts'
import { name, text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'

export const user = z.object({
  id: id('user'),
  name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  two_factor: z.boolean(),
  has_password: z.boolean(),
  github: z.string().nullable().describe('Username of the linked GitHub account; null if none is linked.'),
  instance_owner: z.boolean().describe('Whether the user is an instance owner.'),
  created_at: time,
})

export const session = z.object({
  id: id('session'),
  current: z.boolean(),
  address: z.string(),
  agent: z.string(),
  created_at: time,
  last_seen_at: time,
})

const code = text(32, 1)

export const getUser = endpoint('GET /v1/user', {
  access: 'user',
  resource: 'none',
  summary: 'Get the current user',
  reply: z.object({ user }),
})

export const updateUser = endpoint('PUT /v1/user', {
  access: 'user',
  session: true,
  summary: 'Update your name',
  body: z.strictObject({ name: name() }),
  reply: z.object({ user }),
})

export const changePassword = endpoint('PUT /v1/user/password', {
  access: 'user',
  session: true,
  summary: 'Change your password',
  description: 'Ends your other sessions.',
  body: z.strictObject({
    current_password: password.optional(),
    password: newPassword,
    revoke_tokens: z
      .boolean()
      .default(false)
      .describe('Whether to revoke your API tokens in all workspaces as well.'),
  }),
  reply: success,
})

export const startTwoFactor = endpoint('POST /v1/user/two-factor', {
  access: 'user',
  session: true,
  summary: 'Start two-factor setup',
  description: 'Returns a secret for the authenticator app.',
  body: z.strictObject({ password }),
  reply: z.object({ secret: z.string(), url: z.string() }),
})

export const confirmTwoFactor = endpoint('POST /v1/user/two-factor/confirm', {
  access: 'user',
  session: true,
  summary: 'Turn on two-factor authentication with a first code',
  description: 'Returns the recovery codes, which are not shown again, and ends your other sessions.',
  body: z.strictObject({ code }),
  reply: z.object({ recovery_codes: z.array(z.string()) }),
})

export const renewRecoveryCodes = endpoint('POST /v1/user/two-factor/recovery-codes', {
  access: 'user',
  session: true,
  summary: 'Regenerate the recovery codes',
  body: z.strictObject({ password, code }),
  reply: z.object({ recovery_codes: z.array(z.string()) }),
})

export const stopTwoFactor = endpoint('POST /v1/user/two-factor/stop', {
  access: 'user',
  session: true,
  summary: 'Turn off two-factor authentication',
  body: z.strictObject({ password, code }),
  reply: success,
})

export const listSessions = endpoint('GET /v1/user/sessions', {
  access: 'user',
  session: true,
  summary: 'List your sessions',
  reply: pagedList('sessions', session),
})

export const endSession = endpoint('DELETE /v1/user/sessions/{id}', {
  access: 'user',
  session: true,
  summary: 'End one of your sessions',
  params: z.strictObject({ id: idInput('session') }),
  reply: success,
})

export const accountEvents = {
  'account.created': 'Account created',
  'account.login': 'Logged in',
  'account.login_failed': 'Failed login',
  'account.logout': 'Logged out',
  'session.ended': 'Session ended',
  'email.confirmed': 'Email address confirmed',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'two_factor.enabled': 'Two-factor authentication turned on',
  'two_factor.disabled': 'Two-factor authentication turned off',
  'two_factor.recovery_codes_renewed': 'Recovery codes regenerated',
  'two_factor.recovery_code_used': 'Recovery code used',
  'github.linked': 'GitHub account linked',
  'api_token.created': 'API token created',
  'api_token.revoked': 'API token revoked',
  'api_token.expired_use': 'Expired API token used',
  'role.changed': 'Role changed',
} as const

export type AccountEventType = keyof typeof accountEvents

const accountEvent = z.object({
  id: id('accountEvent'),
  type: z.string(),
  summary: z.string().describe('Description of the event.'),
  detail: z.string().nullable(),
  address: z.string().nullable().describe('IP address; null if another user caused the event.'),
  device: z.string().nullable().describe('Browser and operating system, such as `Firefox on Windows`.'),
  via: z
    .enum(['public', 'session', 'api_token', 'member', 'operator'])
    .describe(
      '`public`: without a session. `member`: by another member of a workspace. `operator`: by an instance owner or from the command line.',
    ),
  count: z.int().describe('Number of occurrences between `created_at` and `last_at`.'),
  created_at: time,
  last_at: time,
})

const accountActivity = pagedList('events', accountEvent)

export const listActivity = endpoint('GET /v1/user/activity', {
  access: 'user',
  session: true,
  summary: 'List your security activity from the last 180 days, newest first',
  query: z.strictObject(pageQuery),
  reply: accountActivity,
})

export const listUserActivity = endpoint('GET /v1/instance/users/{id}/activity', {
  access: 'instance',
  summary: 'List the security activity of an account',
  params: z.strictObject({ id: idInput('user') }),
  query: z.strictObject(pageQuery),
  reply: accountActivity,
})

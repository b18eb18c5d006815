import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id, time } from './shared/ids.ts'
import { pagedList, pageQuery } from './shared/page.ts'

/** Account event types and their labels in the security activity. */
export const accountEvents = {
  'account.created': 'Account created',
  'account.login': 'Logged in',
  'account.login_failed': 'Failed login',
  'account.logout': 'Logged out',
  'session.ended': 'Session ended',
  'email.confirmed': 'Email address confirmed',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'two_factor.enabled': 'Two-factor turned on',
  'two_factor.disabled': 'Two-factor turned off',
  'two_factor.recovery_codes_renewed': 'Recovery codes renewed',
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
  summary: z.string().describe('What happened, as text.'),
  detail: z.string().nullable(),
  address: z.string().nullable().describe('Null if someone else did it.'),
  device: z.string().nullable().describe('Browser and system, such as `Firefox on Windows`.'),
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
  summary: 'List your security activity of the last 180 days, newest first',
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

import { z } from 'zod'
import { newPassword, password } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id, name, text, time } from './shared/ids.ts'
import { pagedList, success } from './shared/page.ts'

export const user = z.object({
  id: id('user'),
  name: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  two_factor: z.boolean(),
  has_password: z.boolean(),
  github: z.string().nullable().describe('Login of the linked GitHub account.'),
  instance_owner: z.boolean().describe('Whether the user operates this instance.'),
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
  summary: 'Change your name',
  body: z.strictObject({ name: name() }),
  reply: z.object({ user }),
})

export const changePassword = endpoint('PUT /v1/user/password', {
  access: 'user',
  session: true,
  summary: 'Change your password. Ends your other sessions',
  body: z.strictObject({
    current_password: password.optional(),
    password: newPassword,
    revoke_tokens: z.boolean().default(false).describe('Also revoke your API tokens in all workspaces.'),
  }),
  reply: success,
})

export const startTwoFactor = endpoint('POST /v1/user/two-factor', {
  access: 'user',
  session: true,
  summary: 'Start two-factor setup and get a secret for the authenticator app',
  body: z.strictObject({ password }),
  reply: z.object({ secret: z.string(), url: z.string() }),
})

export const confirmTwoFactor = endpoint('POST /v1/user/two-factor/confirm', {
  access: 'user',
  session: true,
  summary:
    'Turn on two-factor authentication with a first code. Returns the recovery codes once and ends your other sessions',
  body: z.strictObject({ code }),
  reply: z.object({ recovery_codes: z.array(z.string()) }),
})

export const renewRecoveryCodes = endpoint('POST /v1/user/two-factor/recovery-codes', {
  access: 'user',
  session: true,
  summary: 'Replace the recovery codes',
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

import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { email, name, text } from './shared/text-fields.ts'
import { success } from './shared/replies.ts'

/** Checks the length only; the server also rejects common passwords. */
export const newPassword = z
  .string()
  .min(10, { error: 'The password must have at least 10 characters.' })
  .max(200, { error: 'The password must have at most 200 characters.' })
/** The password of an existing account, which may have been chosen under other rules. */
export const password = z
  .string()
  .min(1, { error: 'The password must not be empty.' })
  .max(200, { error: 'The password must have at most 200 characters.' })
const token = text(200, 1)
const otp = text(32).optional().describe('Code from the authenticator app, or a recovery code.')

const setup = text(200)
  .optional()
  .describe('Token of the setup link. Required for the first account, unless `setup` is `open`.')

export const signUp = endpoint('POST /v1/auth/email/signup', {
  access: 'public',
  summary: 'Sign up with an organization, email and password',
  body: z.strictObject({ organisation: name(), email, password: newPassword, setup }),
  reply: success,
  limit: 20,
})

export const logIn = endpoint('POST /v1/auth/email/login', {
  access: 'public',
  summary: 'Log in with email and password',
  description: 'If two-factor authentication is on, `otp` is required.',
  body: z.strictObject({ email, password, otp }),
  reply: z.object({ access_token: z.string() }),
  limit: 120,
})

export const verifyEmail = endpoint('POST /v1/auth/email/verify', {
  access: 'public',
  summary: 'Confirm an email address with the emailed token',
  description: '`password` is required unless the request comes from the browser that was used to sign up.',
  body: z.strictObject({ token, password: newPassword.optional() }),
  reply: success,
  limit: 60,
})

export const join = endpoint('POST /v1/auth/email/join', {
  access: 'public',
  summary: 'Join a workspace with an invite',
  description: 'Creates an account if none exists for the email address.',
  body: z.strictObject({ token, email, password, otp }),
  reply: success,
  limit: 60,
})

export const readInvite = endpoint('POST /v1/auth/invite', {
  access: 'public',
  summary: 'Get the invite of an invite token',
  description: 'The token is sent in the body, because URLs are logged.',
  body: z.strictObject({ token }),
  reply: z.object({
    invite: z.object({
      workspace: z.string().describe('Name of the workspace.'),
      invited_by: z.string(),
      email: z.string().describe('Address that the invite is for.'),
    }),
  }),
  limit: 60,
})

export const forgotPassword = endpoint('POST /v1/auth/password/forgot', {
  access: 'public',
  summary: 'Email a password reset link',
  description: 'The response is the same whether or not the account exists.',
  body: z.strictObject({ email }),
  reply: success,
  limit: 20,
})

export const resetPassword = endpoint('POST /v1/auth/password/reset', {
  access: 'public',
  summary: 'Set a new password with a reset token',
  description: 'Ends all sessions and revokes all API tokens of the user.',
  body: z.strictObject({ token, password: newPassword }),
  reply: success,
  limit: 60,
})

export const getAuthOptions = endpoint('GET /v1/auth/options', {
  access: 'public',
  summary: 'Get the login and signup options of this instance',
  reply: z.object({
    github: z.boolean(),
    signup: z.enum(['open', 'invite']),
    setup: z
      .enum(['open', 'link', 'done'])
      .describe(
        'How the first account is created. `open`: by anyone. `link`: with the setup link that is printed at startup. `done`: an account exists.',
      ),
    mail: z.boolean(),
    documentation_url: z.string(),
  }),
})

export const redirectToLogin = endpoint('GET /v1/auth/redirect', {
  access: 'public',
  summary: 'Redirect the browser to the code host to log in',
  query: z.strictObject({ setup }),
  reply: z.object({ url: z.string() }),
  status: 302,
})

export const redirectToGitHub = endpoint('GET /v1/auth/github/redirect', {
  access: 'public',
  summary: 'Redirect the browser to GitHub with state and PKCE',
  query: z.strictObject({ setup }),
  reply: z.object({ url: z.string() }),
  status: 302,
  limit: 60,
})

export const finishLogin = endpoint('POST /v1/auth/github/finish', {
  access: 'public',
  summary: 'Exchange the code from GitHub for a one-time code',
  description: 'Works only in the browser that started the login.',
  body: z.strictObject({ code: text(200, 1), state: text(200, 1) }),
  reply: z.object({ code: z.string() }),
  limit: 60,
})

export const exchangeCode = endpoint('GET /v1/auth/token', {
  access: 'public',
  summary: 'Exchange a one-time code for a session',
  description: 'Works only in the browser that started the login.',
  query: z.strictObject({ code: text(200, 1), otp }),
  reply: z.object({ token: z.object({ token: z.string() }), is_signup: z.boolean() }),
  limit: 60,
})

export const logOut = endpoint('POST /v1/auth/logout', {
  access: 'user',
  session: true,
  summary: 'End this session',
  reply: success,
})

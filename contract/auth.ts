import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { email, name, text } from './shared/ids.ts'
import { success } from './shared/page.ts'

/** Checked against its length only here; the commonest passwords are refused by the server. */
export const newPassword = z
  .string()
  .min(10, { error: 'The password must have at least 10 characters.' })
  .max(200, { error: 'The password must have at most 200 characters.' })
/** One that should be right, whatever the rules were when it was chosen. */
export const password = z
  .string()
  .min(1, { error: 'The password must not be empty.' })
  .max(200, { error: 'The password must have at most 200 characters.' })
const token = text(200, 1)
const otp = text(32).optional().meta({ description: 'A code of the authenticator app, or a recovery code.' })

const setup = text(200)
  .optional()
  .meta({ description: 'The token of the set-up link, where the first account needs it.' })

export const signUp = endpoint('POST /v1/auth/email/signup', {
  access: 'public',
  summary: 'Sign up with an organisation, email and password',
  body: z.strictObject({ organisation: name(), email, password: newPassword, setup }),
  reply: success,
  limit: 20,
})

export const logIn = endpoint('POST /v1/auth/email/login', {
  access: 'public',
  summary: 'Log in with email and password, and with a code where two-factor is on',
  body: z.strictObject({ email, password, otp }),
  reply: z.object({ access_token: z.string() }),
  limit: 120,
})

export const verifyEmail = endpoint('POST /v1/auth/email/verify', {
  access: 'public',
  summary:
    'Confirm an email address with the token that was mailed to it; in another browser than the one that signed up, with a new password',
  body: z.strictObject({ token, password: newPassword.optional() }),
  reply: success,
  limit: 60,
})

export const join = endpoint('POST /v1/auth/email/join', {
  access: 'public',
  summary: 'Join a workspace by invite; makes the account if there is none for the address',
  body: z.strictObject({ token, email, password, otp }),
  reply: success,
  limit: 60,
})

export const forgotPassword = endpoint('POST /v1/auth/password/forgot', {
  access: 'public',
  summary: 'Mail a link that sets a new password; the answer is the same whether or not the account exists',
  body: z.strictObject({ email }),
  reply: success,
  limit: 20,
})

export const resetPassword = endpoint('POST /v1/auth/password/reset', {
  access: 'public',
  summary: 'Set a new password with the token of a reset link; ends all sessions and revokes all API tokens',
  body: z.strictObject({ token, password: newPassword }),
  reply: success,
  limit: 60,
})

export const getAuthOptions = endpoint('GET /v1/auth/options', {
  access: 'public',
  summary: 'What this Slipway offers on its log-in page',
  reply: z.object({
    github: z.boolean(),
    signup: z.enum(['open', 'invite']),
    setup: z.enum(['open', 'link', 'done']).meta({
      description:
        'How the first account is created: by anybody, or with the set-up link that the start prints; `done` once there is one.',
    }),
    mail: z.boolean(),
    documentation_url: z.string(),
  }),
})

export const redirectToSignIn = endpoint('GET /v1/auth/redirect', {
  access: 'public',
  summary: 'Leads the browser to the sign-in of the code host',
  query: z.strictObject({ setup }),
  reply: z.object({ url: z.string() }),
  status: 302,
})

export const redirectToGitHub = endpoint('GET /v1/auth/github/redirect', {
  access: 'public',
  summary: 'Leads the browser to GitHub, with state and PKCE',
  query: z.strictObject({ setup }),
  reply: z.object({ url: z.string() }),
  status: 302,
  limit: 60,
})

export const finishSignIn = endpoint('POST /v1/auth/github/finish', {
  access: 'public',
  summary: 'Exchange what GitHub gave for a one-time code, in the browser that started the sign-in',
  body: z.strictObject({ code: text(200, 1), state: text(200, 1) }),
  reply: z.object({ code: z.string() }),
  limit: 60,
})

export const exchangeCode = endpoint('GET /v1/auth/token', {
  access: 'public',
  summary: 'Exchange a one-time code for a session, in the browser that started the sign-in',
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

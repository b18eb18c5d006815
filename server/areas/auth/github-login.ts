import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import {
  integrationNotConfigured,
  Problem,
  twoFactorRequired,
  unauthenticated,
  wrongCode,
} from '../../errors.ts'
import { setCookie } from './device.ts'
import { readGitHub } from './github-api.ts'
import { findLoginClient } from './github-app.ts'
import { authorizeUrl, exchangeForToken } from './github-oauth.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import type { Anonymous } from '../../route.ts'
import { recordInBackground } from './account-events.ts'
import { removeAttempt, startAttempt } from './login-rate-limit.ts'
import { consumeToken, findToken, findUser, insertToken } from './store.ts'
import { checkSecondFactor } from './two-factor.ts'
import type { UserRow } from './user.ts'

const cookieSealContext = 'cookie.github'

const loginState = z.object({
  state: z.string(),
  verifier: z.string(),
  until: z.number(),
  setup: z.string().optional(),
})

export interface GitHubProfile {
  subject: string
  login: string
  name: string | null
  /** Primary email address, if GitHub has verified it. */
  email: string | undefined
}

const callbackUrl = (ctx: Context) => `${ctx.config.PUBLIC_URL}/login/success`

async function getClient(ctx: Context) {
  const client = await findLoginClient(ctx)
  if (!client) throw integrationNotConfigured('Login with GitHub')
  return client
}

export async function startGitHubLogin(ctx: Context, setup: string | undefined) {
  const client = await getClient(ctx)
  const state = oauth.generateRandomState()
  const verifier = oauth.generateRandomCodeVerifier()
  const url = authorizeUrl(ctx, client, {
    redirect_uri: callbackUrl(ctx),
    scope: 'read:user user:email',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const until = Date.now() + 600_000
  const sealed = ctx.secrets.seal(cookieSealContext, JSON.stringify({ state, verifier, until, setup }))
  return { url, cookie: setCookie(ctx.config, 'slipway_github', sealed, 600) }
}

export const readLoginState = (ctx: Context, cookie: string | undefined): string =>
  openLoginState(ctx, cookie, undefined).state

/** Finishes a login, only in the browser that started it. */
export async function finishGitHubLogin(
  ctx: Context,
  input: { code: string; state: string; cookie: string | undefined },
): Promise<{ profile: GitHubProfile; setup: string | undefined }> {
  const client = await getClient(ctx)
  const { state, verifier, setup } = openLoginState(ctx, input.cookie, input.state)
  const callback = callbackUrl(ctx)
  const token = await exchangeForToken(ctx, client, { code: input.code, state, callback, verifier })
  return { profile: await readProfile(ctx, token), setup }
}

function openLoginState(ctx: Context, sealed: string | undefined, state: string | undefined) {
  try {
    const opened = loginState.parse(JSON.parse(ctx.secrets.open(cookieSealContext, sealed ?? '')))
    if (opened.until > Date.now() && (state === undefined || opened.state === state)) return opened
  } catch {
    // A cookie that Slipway did not set is ignored.
  }
  throw loginExpired()
}

export const loginExpired = () =>
  new Problem(400, 'login_lost', 'This login was started in another browser or has expired. Try again.')

const profile = z.object({ id: z.number(), login: z.string(), name: z.string().nullish() })
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

async function readProfile(ctx: Context, token: string): Promise<GitHubProfile> {
  const [who, addresses] = await Promise.all([
    readGitHub(ctx, { path: '/user', token }, profile),
    readGitHub(ctx, { path: '/user/emails', token }, emails),
  ])
  const email = addresses.value.find((address) => address.primary && address.verified)?.email.toLowerCase()
  const { id, login, name } = who.value
  return { subject: String(id), login, name: name ?? null, email }
}

const hashLoginCode = (state: string, code: string) => hashToken(`${state} ${code}`)

/**
 * Issues a one-time code. Its hash includes the state from the cookie of the browser, so the code is useless in another
 * browser.
 */
export async function issueLoginCode(
  ctx: Context,
  state: string,
  user: { id: Id<'user'>; two_factor_on_at: Date | null },
  isSignup: boolean,
): Promise<string> {
  const code = newToken('sgn')
  const seconds = user.two_factor_on_at ? 300 : 120
  await insertToken(ctx.db, {
    token_hash: hashLoginCode(state, code),
    user_id: user.id,
    purpose: 'github',
    expires_at: new Date(Date.now() + seconds * 1_000),
    is_signup: isSignup,
  })
  return code
}

/** Returns the user of a login code after checking the second factor, and consumes the code only then. */
export async function redeemLoginCode(
  ctx: Context,
  input: { code: string; otp?: string | undefined; cookie: string | undefined },
  from: Anonymous,
) {
  const key = hashLoginCode(readLoginState(ctx, input.cookie), input.code)
  const waiting = await findToken(ctx.db, key, 'github')
  if (!waiting) throw loginExpired()
  const user = await findUser(ctx.db, waiting.user_id)
  if (!user) throw unauthenticated()
  if (user.two_factor_on_at) await requireSecondFactor(ctx, user, input.otp, from)
  if (!(await consumeToken(ctx.db, key, 'github'))) throw loginExpired()
  return { user, isSignup: waiting.is_signup }
}

async function requireSecondFactor(ctx: Context, user: UserRow, otp: string | undefined, from: Anonymous) {
  if (!otp) throw twoFactorRequired()
  await startAttempt(ctx, user.email, from.address)
  if (!(await checkSecondFactor(ctx, user, otp, from))) {
    const detail = 'wrong two-factor code'
    recordInBackground(ctx, { user: user.id, type: 'account.login_failed', by: from, detail })
    throw wrongCode()
  }
  await removeAttempt(ctx, user.email, from.address)
}

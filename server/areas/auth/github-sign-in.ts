import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { integrationNotConfigured, Problem } from '../../errors.ts'
import { setCookie } from './cookies.ts'
import { readGitHub } from './github-api.ts'
import { findSignInClient } from './github-app.ts'
import { authorizeUrl, exchangeForToken } from './github-oauth.ts'

const cookieSealContext = 'cookie.github'

/** State sealed into a cookie during the GitHub redirect. */
const signInState = z.object({
  state: z.string(),
  verifier: z.string(),
  until: z.number(),
  /** Token of the setup link, if signup started from it. */
  setup: z.string().optional(),
})

export interface GitHubProfile {
  subject: string
  login: string
  name: string | null
  /** Primary email address, if verified by GitHub. */
  email: string | undefined
}

const callbackUrl = (ctx: Context) => `${ctx.config.PUBLIC_URL}/login/success`

async function getClient(ctx: Context) {
  const client = await findSignInClient(ctx)
  if (!client) throw integrationNotConfigured('Sign-in with GitHub')
  return client
}

/** Returns the redirect URL and the cookie that the browser must send back. */
export async function startGitHubSignIn(ctx: Context, setup: string | undefined) {
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

/** Returns the state of the sign-in cookie; throws if there is none. */
export const readSignInState = (ctx: Context, cookie: string | undefined): string =>
  openSignInState(ctx, cookie, undefined).state

/**
 * Exchanges GitHub's code for the user profile, in the browser that started the sign-in. Also returns the token of the setup link.
 */
export async function finishGitHubSignIn(
  ctx: Context,
  input: { code: string; state: string; cookie: string | undefined },
): Promise<{ profile: GitHubProfile; setup: string | undefined }> {
  const client = await getClient(ctx)
  const { state, verifier, setup } = openSignInState(ctx, input.cookie, input.state)
  const callback = callbackUrl(ctx)
  const token = await exchangeForToken(ctx, client, { code: input.code, state, callback, verifier })
  return { profile: await readProfile(ctx, token), setup }
}

function openSignInState(ctx: Context, sealed: string | undefined, state: string | undefined) {
  try {
    const opened = signInState.parse(JSON.parse(ctx.secrets.open(cookieSealContext, sealed ?? '')))
    if (opened.until > Date.now() && (state === undefined || opened.state === state)) return opened
  } catch {
    // Not a cookie of ours: the same as none.
  }
  throw signInExpired()
}

export const signInExpired = () =>
  new Problem(400, 'sign_in_lost', 'This sign-in was started in another browser or has expired. Try again.')

const profile = z.object({ id: z.number(), login: z.string(), name: z.string().nullish() })
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** Returns the GitHub profile of a user token. */
async function readProfile(ctx: Context, token: string): Promise<GitHubProfile> {
  const [who, addresses] = await Promise.all([
    readGitHub(ctx, { path: '/user', token }, profile),
    readGitHub(ctx, { path: '/user/emails', token }, emails),
  ])
  const email = addresses.value.find((address) => address.primary && address.verified)?.email.toLowerCase()
  const { id, login, name } = who.value
  return { subject: String(id), login, name: name ?? null, email }
}

import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { integrationOff, Invalid, outsideFailed, outsideSlow, Problem } from '../../errors.ts'

const place = 'cookie.github'
export const cookieName = 'slipway_github'

/** What the browser carries, sealed, from our redirect to GitHub and back. */
const journey = z.object({ state: z.string(), verifier: z.string(), until: z.number() })

export interface GitHubProfile {
  subject: string
  login: string
  name: string | null
  /** The primary address, if GitHub has verified it. */
  email: string | undefined
}

const patience = (ctx: Context) => AbortSignal.timeout(ctx.config.OUTSIDE_TIMEOUT * 1000)

function setup(ctx: Context) {
  const { GITHUB_URL, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, PUBLIC_URL } = ctx.config
  if (!GITHUB_CLIENT_ID || !GITHUB_CLIENT_SECRET) throw integrationOff('Sign-in with GitHub')
  const server: oauth.AuthorizationServer = {
    issuer: GITHUB_URL,
    authorization_endpoint: `${GITHUB_URL}/login/oauth/authorize`,
    token_endpoint: `${GITHUB_URL}/login/oauth/access_token`,
  }
  return {
    server,
    client: { client_id: GITHUB_CLIENT_ID },
    secret: GITHUB_CLIENT_SECRET,
    callback: `${PUBLIC_URL}/login/success`,
    options: {
      [oauth.allowInsecureRequests]: GITHUB_URL.startsWith('http:'),
      signal: () => patience(ctx),
    },
  }
}

/** Where to send the browser, and the cookie that it must bring back. */
export async function beginGitHub(ctx: Context) {
  const { server, client, callback } = setup(ctx)
  const state = oauth.generateRandomState()
  const verifier = oauth.generateRandomCodeVerifier()
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: callback,
    scope: 'read:user user:email',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const until = Date.now() + 600_000
  return { url: url.toString(), cookie: cookie(ctx, { state, verifier, until }) }
}

function cookie(ctx: Context, value: z.infer<typeof journey>) {
  const secure = ctx.config.PUBLIC_URL.startsWith('https:') ? '; Secure' : ''
  const sealed = ctx.secrets.seal(place, JSON.stringify(value))
  return `${cookieName}=${sealed}; Path=/v1/auth; HttpOnly; SameSite=Lax; Max-Age=600${secure}`
}

/** Whether this browser began the sign-in that it comes back from, and not long ago. */
export const checkJourney = (ctx: Context, given: Came) => openJourney(ctx, given.cookie, given.state)

export interface Came {
  code: string
  state: string | undefined
  cookie: string | undefined
}

/** Exchanges the code for the profile of whoever came back from GitHub in the browser that went there. */
export async function finishGitHub(ctx: Context, given: Came): Promise<GitHubProfile> {
  const { server, client, secret, callback, options } = setup(ctx)
  const { state, verifier } = checkJourney(ctx, given)
  try {
    const parameters = oauth.validateAuthResponse(
      server,
      client,
      new URLSearchParams({ code: given.code, state }),
      state,
    )
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(secret),
      parameters,
      callback,
      verifier,
      options,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer)
    return await readProfile(ctx, tokens.access_token)
  } catch (error) {
    throw inOurWords(error)
  }
}

function openJourney(ctx: Context, sealed: string | undefined, state: string | undefined) {
  try {
    const opened = journey.parse(JSON.parse(ctx.secrets.open(place, sealed ?? '')))
    if (opened.until > Date.now() && state && opened.state === state) return opened
  } catch {
    // Not a cookie of ours: the same as none.
  }
  throw new Problem(
    400,
    'sign_in_lost',
    'This sign-in was not begun in this browser, or took too long. Try again.',
  )
}

const profile = z.object({ id: z.number(), login: z.string(), name: z.string().nullish() })
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

async function readProfile(ctx: Context, token: string): Promise<GitHubProfile> {
  const read = async <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> => {
    const answer = await fetch(`${ctx.config.GITHUB_API_URL}${path}`, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'slipway',
      },
      signal: patience(ctx),
    })
    if (!answer.ok) throw outsideFailed('GitHub', `${path} gave ${answer.status}.`)
    return schema.parse(await answer.json())
  }
  const [who, addresses] = await Promise.all([read('/user', profile), read('/user/emails', emails)])
  const email = addresses.find((address) => address.primary && address.verified)?.email.toLowerCase()
  return { subject: String(who.id), login: who.login, name: who.name ?? null, email }
}

function inOurWords(error: unknown): unknown {
  if (error instanceof Problem || error instanceof Invalid) return error
  const why = error instanceof Error ? error : new Error(String(error))
  if (why.name === 'TimeoutError' || (why.cause instanceof Error && why.cause.name === 'TimeoutError'))
    return outsideSlow('GitHub')
  const said = why instanceof oauth.ResponseBodyError ? why.error : JSON.stringify(why.cause ?? '')
  if (said.includes('incorrect_client_credentials'))
    return new Problem(
      502,
      'github_keys_wrong',
      'GitHub does not accept the keys of this Slipway. Its operator has to correct GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET.',
    )
  if (why instanceof oauth.ResponseBodyError || said.includes('bad_verification_code'))
    return new Problem(400, 'sign_in_refused', 'GitHub did not accept this sign-in. Try again.')
  return outsideFailed('GitHub', why instanceof z.ZodError ? 'a profile of another form.' : reasonOf(why))
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'its name was not found',
  EAI_AGAIN: 'its name could not be looked up',
}

/** `fetch` says only that it failed; why is in the cause. */
function reasonOf(error: Error): string {
  if (!(error.cause instanceof Error)) return error.message
  const { code = '', message }: Error & { code?: string } = error.cause
  return reasons[code] ?? (message || error.message)
}

import { createHash, randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { type App, isFor } from './apps.ts'
import { type Call, json, missing, redirect } from './answer.ts'
import { type GitHubAccount, newSecret, type State } from './state.ts'

/** Who sits at the browser, by their cookie. */
export function atBrowser({ request, state }: Call): GitHubAccount {
  const login = /user=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const account = state.accounts.get(login)
  if (!account) throw missing()
  return account
}

/** The person at the browser presses "Authorize"; "Cancel" with the cookie `denies`. */
export function authorize(call: Call) {
  const { state, request, url } = call
  const asked = url.searchParams
  const account = atBrowser(call)
  const app = state.apps.find(({ client }) => client.id === asked.get('client_id'))
  if (!app || !isFor(app, account)) throw missing()
  const redirectUri = asked.get('redirect_uri') ?? app.callbacks[0]
  const known = app.callbacks.includes(redirectUri)
  const back = (fields: Record<string, string>) => {
    const carried = asked.get('state')
    const search = new URLSearchParams({ ...fields, ...(carried === null ? {} : { state: carried }) })
    return redirect(call, `${known ? redirectUri : app.callbacks[0]}?${search.toString()}`)
  }
  if (!known) return back({ error: 'redirect_uri_mismatch' })
  if (request.headers.cookie?.includes('denies='))
    return back({ error: 'access_denied', error_description: 'The user has denied your application access.' })
  const challenge = asked.get('code_challenge')
  if (challenge !== null && asked.get('code_challenge_method') !== 'S256')
    return back({ error: 'invalid_request' })
  const scopes = (asked.get('scope') ?? '').split(/[ ,]/).filter(Boolean)
  return back({ code: newCode(state, app, account, { redirectUri, scopes, challenge }) })
}

export function newCode(
  state: State,
  app: App,
  account: GitHubAccount,
  given: { redirectUri: string; scopes?: string[]; challenge?: string | null },
): string {
  const code = randomBytes(10).toString('hex')
  const until = Date.now() + 600_000
  state.codes.set(code, { app, account, scopes: [], challenge: null, ...given, until })
  return code
}

/** Answers 200 whatever happens, and a form unless JSON is asked for, as the real one does. */
export async function exchange(call: Call) {
  const { state, request, response } = call
  const given = new URLSearchParams(await text(request))
  const say = (fields: Record<string, string>) =>
    request.headers.accept?.includes('application/json')
      ? json(call, 200, fields)
      : response
          .writeHead(200, { 'content-type': 'application/x-www-form-urlencoded' })
          .end(new URLSearchParams(fields).toString())
  const app = state.apps.find(({ client }) => client.id === given.get('client_id'))
  if (!app || given.get('client_secret') !== app.client.secret)
    return say({
      error: 'incorrect_client_credentials',
      error_description: 'The client_id and/or client_secret passed are incorrect.',
    })
  const code = given.get('code') ?? ''
  const grant = state.codes.get(code)
  const verifier = given.get('code_verifier')
  const proves = grant?.challenge === null || (verifier && s256(verifier) === grant?.challenge)
  if (!grant || grant.app !== app || grant.until < Date.now() || !proves)
    return say({
      error: 'bad_verification_code',
      error_description: 'The code passed is incorrect or expired.',
    })
  if ((given.get('redirect_uri') ?? grant.redirectUri) !== grant.redirectUri)
    return say({
      error: 'redirect_uri_mismatch',
      error_description: 'The redirect_uri MUST match the registered callback URL for this application.',
    })
  state.codes.delete(code)
  const token = newSecret('ghu_')
  state.userTokens.set(token, grant)
  return say({ access_token: token, scope: grant.scopes.join(','), token_type: 'bearer' })
}

const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

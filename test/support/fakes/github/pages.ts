import { createHash, randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { type Call, json, missing, redirect, Refusal } from './answer.ts'
import { type App, install, isFor, makeApp } from './apps.ts'
import { type GitHubAccount, newSecret, type State } from './state.ts'
import { sendInstallation } from './webhooks.ts'

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

/**
 * The person at the browser installs an app: on their own account, or on the one that the cookie `account` names. An owner of
 * an organisation does that; anybody else only asks for it. Where it is installed already nothing leads back.
 */
export async function installPage(call: Call) {
  const { state, params, request, url } = call
  const person = atBrowser(call)
  const app = state.apps.find(({ slug }) => slug === params['slug'])
  if (!app) throw missing()
  const chosen = /account=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? person.login
  const account = state.accounts.get(chosen)
  if (!account || (!app.public && account !== app.owner)) throw missing()
  const [redirectUri] = app.callbacks
  const back = (fields: Record<string, string>) => {
    const carried = url.searchParams.get('state')
    const search = new URLSearchParams({ ...fields, ...(carried === null ? {} : { state: carried }) })
    return redirect(call, `${redirectUri}?${search.toString()}`)
  }
  const code = newCode(state, app, person, { redirectUri })
  if (account !== person && account.members[person.login] !== 'admin')
    return back({ code, setup_action: 'request' })
  const there = [...state.installations.values()].some((one) => one.app === app && one.account === account)
  if (there) return call.response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Installed</h1>')
  const names = /repositories=([\w.,-]+)/.exec(request.headers.cookie ?? '')?.[1]?.split(',')
  const installation = install(state, app, account, names ?? 'all')
  await sendInstallation(state, installation, 'created', person)
  return back({ code, installation_id: String(installation.id), setup_action: 'install' })
}

const manifest = z.looseObject({
  name: z.string().min(1).max(34),
  url: z.url(),
  hook_attributes: z.object({ url: z.url(), active: z.boolean().default(true) }).optional(),
  redirect_url: z.url(),
  callback_urls: z.array(z.url()).max(10).optional(),
  setup_url: z.url().optional(),
  public: z.boolean().optional(),
  request_oauth_on_install: z.boolean().optional(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])).default({}),
  default_events: z.array(z.string()).default([]),
})

/** What there is to permit, as far as anybody here asks for it. */
const permissions = ['contents', 'metadata', 'statuses', 'pull_requests', 'members', 'emails']
/** An event comes only to those who may read what it is about. */
const neededFor: Record<string, string> = {
  push: 'contents',
  repository: 'metadata',
  pull_request: 'pull_requests',
}

/** The person presses "Create GitHub App" on the page that the posted manifest leads to. */
export async function newAppPage(call: Call) {
  const { state, params, request, url } = call
  const person = atBrowser(call)
  const owner = params['organization'] ? state.accounts.get(params['organization']) : person
  if (!owner || (owner !== person && owner.members[person.login] !== 'admin')) throw missing()
  const given = new URLSearchParams(await text(request)).get('manifest') ?? ''
  const read = manifest.safeParse(JSON.parse(given))
  if (!read.success) throw new Refusal(422, `Invalid manifest: ${read.error.message}`)
  const asked = read.data
  const strange = Object.keys(asked.default_permissions).filter((name) => !permissions.includes(name))
  const early = asked.default_events.filter((event) => !asked.default_permissions[neededFor[event] ?? ''])
  if (strange.length > 0 || early.length > 0)
    throw new Refusal(
      422,
      `Invalid manifest: ${[...strange, ...early].join(', ')} is not included in the list`,
    )
  if (state.apps.some(({ name }) => name === asked.name)) throw new Refusal(422, 'Name is already taken')
  // What a manifest calls by another name than the API.
  const { emails, ...others } = asked.default_permissions
  const [first = asked.redirect_url, ...more] = asked.callback_urls ?? []
  const app = makeApp({
    id: state.nextId(),
    name: asked.name,
    owner,
    public: asked.public ?? false,
    callbacks: [first, ...more],
    hookUrl: asked.hook_attributes?.active ? asked.hook_attributes.url : undefined,
    permissions: { metadata: 'read', ...others, ...(emails && { email_addresses: emails }) },
    events: asked.default_events,
  })
  state.apps.push(app)
  const code = newSecret()
  state.conversions.set(code, app)
  const back = new URL(asked.redirect_url)
  back.searchParams.set('code', code)
  const carried = url.searchParams.get('state')
  if (carried !== null) back.searchParams.set('state', carried)
  return redirect(call, back.href)
}

import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Reply } from '../http-service.ts'
import { type Call, notFound, ok, refuse } from './answer.ts'
import { addApp, type App, type GitHubAccount, install, newSecret, type State } from './state.ts'
import { sendInstallation } from './webhooks.ts'

const cookieOf = ({ request }: Call, name: string) =>
  new RegExp(String.raw`\b${name}=([\w.,-]+)`).exec(request.headers.cookie ?? '')?.[1]

/** The user at the browser, by cookie. */
function userOf(call: Call): GitHubAccount {
  const account = call.state.accounts.get(cookieOf(call, 'user') ?? '')
  if (!account) throw notFound()
  return account
}

/** Redirects back to the App, with the `state` that it passed. */
function redirectBack({ url }: Call, to: string, fields: Record<string, string>): Reply {
  const location = new URL(to)
  const carried = url.searchParams.get('state')
  for (const [name, value] of Object.entries({ ...fields, ...(carried !== null && { state: carried }) }))
    location.searchParams.set(name, value)
  return { status: 302, headers: { location: location.href } }
}

/** The user presses "Authorize", or "Cancel" with the cookie `denies`. */
export function authorize(call: Call): Reply {
  const { state, url } = call
  const query = url.searchParams
  const account = userOf(call)
  const app = state.apps.find(({ client }) => client.id === query.get('client_id'))
  const mayUse = app?.public || account === app?.owner || account.login in (app?.owner.members ?? {})
  if (!app || !mayUse) throw notFound()
  const redirectUri = query.get('redirect_uri') ?? app.callbacks[0]
  if (!app.callbacks.includes(redirectUri))
    return redirectBack(call, app.callbacks[0], { error: 'redirect_uri_mismatch' })
  const denied = 'The user has denied your application access.'
  if (cookieOf(call, 'denies'))
    return redirectBack(call, redirectUri, { error: 'access_denied', error_description: denied })
  const challenge = query.get('code_challenge')
  if (challenge !== null && query.get('code_challenge_method') !== 'S256')
    return redirectBack(call, redirectUri, { error: 'invalid_request' })
  const scopes = (query.get('scope') ?? '').split(/[ ,]/).filter(Boolean)
  return redirectBack(call, redirectUri, {
    code: newCode(state, app, account, { redirectUri, scopes, challenge }),
  })
}

function newCode(
  state: State,
  app: App,
  account: GitHubAccount,
  given: { redirectUri: string; scopes?: string[]; challenge?: string | null },
): string {
  const code = newSecret()
  const until = Date.now() + 600_000
  state.codes.set(code, { app, account, scopes: [], challenge: null, ...given, until })
  return code
}

const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** Exchanges a code for a user token. Like the real endpoint, replies with 200 to errors as well. */
export async function exchangeCode({ state, request }: Call): Promise<Reply> {
  const form = new URLSearchParams(await text(request))
  const fail = (error: string, error_description: string) => ok({ error, error_description })
  if (!request.headers.accept?.includes('application/json')) throw refuse(406, 'Accept application/json.')
  const app = state.apps.find(({ client }) => client.id === form.get('client_id'))
  if (!app || form.get('client_secret') !== app.client.secret)
    return fail('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.')
  const code = form.get('code') ?? ''
  const grant = state.codes.get(code)
  const verifier = form.get('code_verifier')
  const isProven = grant?.challenge === null || (verifier && s256(verifier) === grant?.challenge)
  if (!grant || grant.app !== app || grant.until < Date.now() || !isProven)
    return fail('bad_verification_code', 'The code passed is incorrect or expired.')
  if ((form.get('redirect_uri') ?? grant.redirectUri) !== grant.redirectUri)
    return fail('redirect_uri_mismatch', 'The redirect_uri MUST match the registered callback URL.')
  state.codes.delete(code)
  const token = newSecret('ghu_')
  state.userTokens.set(token, grant)
  return ok({ access_token: token, scope: grant.scopes.join(','), token_type: 'bearer' })
}

/**
 * The user installs an App: on their own account, or on that of the cookie `account`. A member of an organization who
 * is not an owner only requests it. Where the App is installed already there is no redirect.
 */
export async function installApp(call: Call): Promise<Reply> {
  const { state, params } = call
  const user = userOf(call)
  const app = state.apps.find(({ slug }) => slug === params['slug'])
  const account = state.accounts.get(cookieOf(call, 'account') ?? user.login)
  if (!app || !account || (!app.public && account !== app.owner)) throw notFound()
  const [redirectUri] = app.callbacks
  const code = newCode(state, app, user, { redirectUri })
  if (account !== user && account.members[user.login] !== 'admin')
    return redirectBack(call, redirectUri, { code, setup_action: 'request' })
  const installations = [...state.installations.values()]
  if (installations.some((one) => one.app === app && one.account === account))
    return { status: 200, body: '<h1>Installed</h1>', headers: { 'content-type': 'text/html' } }
  const names = cookieOf(call, 'repositories')?.split(',')
  const installation = install(state, app, account, names ?? 'all')
  await sendInstallation(state, installation, 'created', user)
  const installation_id = String(installation.id)
  return redirectBack(call, redirectUri, { code, installation_id, setup_action: 'install' })
}

const manifest = z.looseObject({
  name: z.string().min(1).max(34),
  url: z.url(),
  hook_attributes: z.object({ url: z.url(), active: z.boolean().default(true) }).optional(),
  redirect_url: z.url(),
  callback_urls: z.array(z.url()).max(10).default([]),
  setup_url: z.url().optional(),
  public: z.boolean().default(false),
  request_oauth_on_install: z.boolean().optional(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])).default({}),
  default_events: z.array(z.string()).default([]),
})

const permissions = ['contents', 'metadata', 'statuses', 'pull_requests', 'members', 'emails']
/** The permission that an event requires. */
const requiredFor: Record<string, string> = { push: 'contents', repository: 'metadata' }

/** The user presses "Create GitHub App" on the page of a posted manifest. */
export async function createApp(call: Call): Promise<Reply> {
  const { state, params, request } = call
  const user = userOf(call)
  const owner = params['organization'] ? state.accounts.get(params['organization']) : user
  if (!owner || (owner !== user && owner.members[user.login] !== 'admin')) throw notFound()
  const posted = new URLSearchParams(await text(request)).get('manifest') ?? ''
  const { data, error } = manifest.safeParse(JSON.parse(posted))
  if (!data) throw refuse(422, `Invalid manifest: ${error.message}`)
  const granted = data.default_permissions
  const invalid = [
    ...Object.keys(granted).filter((name) => !permissions.includes(name)),
    ...data.default_events.filter((event) => !granted[requiredFor[event] ?? '']),
  ]
  if (invalid.length > 0)
    throw refuse(422, `Invalid manifest: ${invalid.join(', ')} is not included in the list`)
  if (state.apps.some(({ name }) => name === data.name)) throw refuse(422, 'Name is already taken')
  // The API has another name for this permission.
  const { emails, ...others } = granted
  const [first = data.redirect_url, ...more] = data.callback_urls
  const app = addApp(state, {
    name: data.name,
    owner,
    public: data.public,
    callbacks: [first, ...more],
    hookUrl: data.hook_attributes?.active ? data.hook_attributes.url : undefined,
    permissions: { metadata: 'read', ...others, ...(emails && { email_addresses: emails }) },
    events: data.default_events,
  })
  const code = newSecret()
  state.conversions.set(code, app)
  return redirectBack(call, data.redirect_url, { code })
}

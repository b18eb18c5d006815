import { z } from 'zod'
import { type Call, json, missing, page, readBody, Refusal } from './answer.ts'
import type { Attempt } from './apps.ts'
import { asApp, asInstallation, asUser, maySee } from './authenticate.ts'
import { seconds, showAccount, showApp, showInstallation, showRepository } from './show.ts'
import { type GitHubAccount, type Installation, newSecret, seesRepository } from './state.ts'
import { send } from './webhooks.ts'

export const getApp = (call: Call) => json(call, 200, showApp(call.state, asApp(call)))

function ofApp(call: Call) {
  const app = asApp(call)
  const installation = call.state.installations.get(Number(call.params['id']))
  if (!installation || installation.app !== app) throw missing()
  return installation
}

export const getInstallation = (call: Call) => json(call, 200, showInstallation(call.state, ofApp(call)))

const wanted = z.object({
  repositories: z.array(z.string()).max(500).optional(),
  repository_ids: z.array(z.int()).max(500).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
})

/** A token for an hour, of no more than the installation was given. */
export async function createToken(call: Call) {
  const { state } = call
  const installation = ofApp(call)
  if (installation.suspendedAt) throw new Refusal(403, 'This installation has been suspended')
  const read = wanted.safeParse(await readBody(call))
  if (!read.success) throw new Refusal(422, 'Invalid request.')
  const { repositories, repository_ids: ids, permissions } = read.data
  const seen = state.repositories.filter((one) => seesRepository(installation, one))
  const named = seen.filter(
    (one) =>
      repositories?.some((name) => name.toLowerCase() === one.name.toLowerCase()) || ids?.includes(one.id),
  )
  const asked = (repositories?.length ?? 0) + (ids?.length ?? 0)
  if (named.length < asked)
    throw new Refusal(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  const granted = Object.entries(permissions ?? {}).every(([name, level]) => {
    const has = installation.permissions[name]
    return has === 'write' || has === level
  })
  if (!granted) throw new Refusal(422, 'The permissions requested are not granted to this installation.')
  const token = newSecret('ghs_')
  const until = Date.now() + 3_600_000
  const given = permissions ? { metadata: 'read' as const, ...permissions } : installation.permissions
  const only = asked > 0 ? new Set(named.map(({ id }) => id)) : undefined
  state.installationTokens.set(token, { installation, permissions: given, only, until })
  return json(call, 201, {
    token,
    expires_at: seconds(new Date(until)),
    permissions: given,
    repository_selection: only ? 'selected' : installation.selection,
    ...(only && { repositories: named.map((one) => showRepository(state, one)) }),
  })
}

export function listInstallationRepositories(call: Call) {
  const token = asInstallation(call, 'metadata')
  const all = call.state.repositories.filter((one) => maySee(token, one))
  const { items, headers } = page(call, all)
  const shown = {
    total_count: all.length,
    repository_selection: token.installation.selection,
    repositories: items.map((one) => showRepository(call.state, one)),
  }
  return json(call, 200, shown, headers)
}

/** The keys of an app from a manifest: they are given away once. */
export function convertManifest(call: Call) {
  const { state, params } = call
  const app = state.conversions.get(params['code'] ?? '')
  if (!app) throw missing()
  state.conversions.delete(params['code'] ?? '')
  const keys = { client_secret: app.client.secret, webhook_secret: app.webhookSecret, pem: app.pem }
  return json(call, 201, { ...showApp(state, app), ...keys })
}

const told = z.looseObject({
  action: z.string().optional(),
  installation: z.object({ id: z.number() }).optional(),
  repository: z.object({ id: z.number() }).optional(),
})

const showDelivery = (attempt: Attempt) => {
  const { action, installation, repository } = told.parse(JSON.parse(attempt.body))
  return {
    id: String(attempt.id),
    guid: attempt.guid,
    delivered_at: attempt.deliveredAt.toISOString(),
    redelivery: attempt.redelivery,
    duration: 0.1,
    status: attempt.status,
    status_code: attempt.statusCode,
    event: attempt.event,
    action: action ?? null,
    installation_id: installation?.id ?? null,
    repository_id: repository?.id ?? null,
    throttled_at: null,
  }
}

/** The newest first; the next page begins at a cursor, not at a number. */
export function listDeliveries(call: Call) {
  const { url, state, response } = call
  const all = asApp(call).attempts.toReversed()
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30))
  const cursor = url.searchParams.get('cursor')
  const from = cursor === null ? 0 : all.findIndex(({ id }) => `v1_${id}` === cursor)
  if (from < 0) throw new Refusal(422, 'Invalid cursor.')
  const next = all[from + size]
  const link = `${state.url}/app/hook/deliveries?per_page=${size}&cursor=v1_${next?.id}`
  const body = JSON.stringify(all.slice(from, from + size).map(showDelivery))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    ...(next && { link: `<${link}>; rel="next"` }),
  })
  return response.end(body.replace(/"id":"(\d+)"/g, '"id":$1'))
}

/** Sends it once more, a moment after it was asked for, as the same delivery. */
export function redeliver(call: Call) {
  const app = asApp(call)
  const found = app.attempts.find(({ id }) => String(id) === call.params['id'])
  if (!found) throw missing()
  if (found.deliveredAt.getTime() < Date.now() - 3 * 86_400_000)
    throw new Refusal(422, 'This delivery is too old to be delivered again.')
  const { event, guid: delivery, body } = found
  setImmediate(() => void send(app, event, {}, { delivery, body, redelivery: true }))
  return json(call, 202, {})
}

export function getUser(call: Call) {
  const { account } = asUser(call)
  return json(call, 200, { ...showAccount(call.state, account), name: account.name, email: null })
}

/** An app's person has no scopes: what the app may see of them stands in its permissions. */
export function listEmails(call: Call) {
  const { account, app } = asUser(call)
  if (!app.permissions['email_addresses']) throw new Refusal(403, 'Resource not accessible by integration')
  return json(
    call,
    200,
    account.emails.map((email) => ({ ...email, visibility: null })),
  )
}

/** Those of the app that the person can do something with, be it only as a member. */
export function listUserInstallations(call: Call) {
  const { account, app } = asUser(call)
  const all = [...call.state.installations.values()].filter(
    (one) => one.app === app && !one.suspendedAt && belongsTo(one, account),
  )
  const { items, headers } = page(call, all)
  const installations = items.map((one) => showInstallation(call.state, one))
  return json(call, 200, { total_count: all.length, installations }, headers)
}

const belongsTo = ({ account }: Installation, person: GitHubAccount) =>
  account === person || person.login in account.members

export function getMembership(call: Call) {
  const { state, params } = call
  const { installation } = asInstallation(call, 'members')
  const organization = state.accounts.get(params['org'] ?? '')
  const person = state.accounts.get(params['login'] ?? '')
  const role = organization?.members[person?.login ?? '']
  if (!organization || !person || !role || organization !== installation.account) throw missing()
  return json(call, 200, {
    url: `${state.url}/orgs/${organization.login}/memberships/${person.login}`,
    state: 'active',
    role,
    user: showAccount(state, person),
    organization: showAccount(state, organization),
  })
}

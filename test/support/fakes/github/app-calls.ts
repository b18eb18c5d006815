import { z } from 'zod'
import type { Reply } from '../http-service.ts'
import { type Call, notFound, ok, page, refuse } from './answer.ts'
import { asApp, asInstallation, asUser, maySee } from './authenticate.ts'
import { formatTime, showAccount, showApp, showInstallation, showRepository } from './show.ts'
import { type Attempt, newSecret, seesRepository } from './state.ts'
import { send } from './webhooks.ts'

export const getApp = (call: Call) => ok(showApp(call.state, asApp(call)))

function installationOf(call: Call) {
  const app = asApp(call)
  const installation = call.state.installations.get(Number(call.params['id']))
  if (installation?.app !== app) throw notFound()
  return installation
}

export const getInstallation = (call: Call) => ok(showInstallation(call.state, installationOf(call)))

const tokenRequest = z.object({
  repositories: z.array(z.string()).max(500).default([]),
  repository_ids: z.array(z.int()).max(500).default([]),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
})

/** A token is valid for an hour, and for no more than the installation. */
export function createToken(call: Call): Reply {
  const { state } = call
  const installation = installationOf(call)
  if (installation.suspendedAt) throw refuse(403, 'This installation has been suspended')
  const { data } = tokenRequest.safeParse(call.body)
  if (!data) throw refuse(422, 'Invalid request.')
  const { repositories, repository_ids: ids, permissions } = data
  const names = repositories.map((name) => name.toLowerCase())
  const selected = state.repositories.filter(
    (one) =>
      seesRepository(installation, one) && (names.includes(one.name.toLowerCase()) || ids.includes(one.id)),
  )
  const requested = names.length + ids.length
  if (selected.length < requested)
    throw refuse(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  const isGranted = Object.entries(permissions ?? {}).every(([name, level]) =>
    ['write', level].includes(installation.permissions[name] ?? ''),
  )
  if (!isGranted) throw refuse(422, 'The permissions requested are not granted to this installation.')
  const token = newSecret('ghs_')
  const until = Date.now() + 3_600_000
  const granted = permissions ? { metadata: 'read' as const, ...permissions } : installation.permissions
  const only = requested > 0 ? new Set(selected.map(({ id }) => id)) : undefined
  state.installationTokens.set(token, { installation, permissions: granted, only, until })
  const body = {
    token,
    expires_at: formatTime(new Date(until)),
    permissions: granted,
    repository_selection: only ? 'selected' : installation.selection,
    ...(only && { repositories: selected.map((one) => showRepository(state, one)) }),
  }
  return { status: 201, body }
}

export function listInstallationRepositories(call: Call) {
  const token = asInstallation(call, 'metadata')
  const all = call.state.repositories.filter((one) => maySee(token, one))
  const { items, headers } = page(call, all)
  const repositories = items.map((one) => showRepository(call.state, one))
  const { selection } = token.installation
  return ok({ total_count: all.length, repository_selection: selection, repositories }, headers)
}

/** The keys of an App created from a manifest, which can be fetched once. */
export function convertManifest({ state, params }: Call): Reply {
  const app = state.conversions.get(params['code'] ?? '')
  if (!app) throw notFound()
  state.conversions.delete(params['code'] ?? '')
  const keys = { client_secret: app.client.secret, webhook_secret: app.webhookSecret, pem: app.pem }
  return { status: 201, body: { ...showApp(state, app), ...keys } }
}

const webhookBody = z.looseObject({
  action: z.string().optional(),
  installation: z.object({ id: z.number() }).optional(),
  repository: z.object({ id: z.number() }).optional(),
})

function showDelivery(attempt: Attempt) {
  const { action, installation, repository } = webhookBody.parse(JSON.parse(attempt.body))
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
  }
}

/** The newest first; the next page begins at a cursor. */
export function listDeliveries(call: Call): Reply {
  const { url, state } = call
  const all = asApp(call).attempts.toReversed()
  const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30))
  const cursor = url.searchParams.get('cursor')
  const from = cursor === null ? 0 : all.findIndex(({ id }) => `v1_${id}` === cursor)
  if (from < 0) throw refuse(422, 'Invalid cursor.')
  const next = all[from + size]
  const link = `<${state.url}/app/hook/deliveries?per_page=${size}&cursor=v1_${next?.id}>; rel="next"`
  const body = JSON.stringify(all.slice(from, from + size).map(showDelivery))
  return {
    status: 200,
    // The ids are numbers that JSON.stringify cannot write.
    body: body.replace(/"id":"(\d+)"/g, '"id":$1'),
    headers: { 'content-type': 'application/json; charset=utf-8', ...(next && { link }) },
  }
}

/** Sends a delivery again, with the same id, soon after the response. */
export function redeliver(call: Call): Reply {
  const app = asApp(call)
  const attempt = app.attempts.find(({ id }) => String(id) === call.params['id'])
  if (!attempt) throw notFound()
  if (attempt.deliveredAt.getTime() < Date.now() - 3 * 86_400_000)
    throw refuse(422, 'This delivery is too old to be delivered again.')
  const { event, guid: delivery, body } = attempt
  setImmediate(() => void send(app, event, {}, { delivery, body, redelivery: true }))
  return { status: 202, body: {} }
}

export function getUser(call: Call) {
  const { account } = asUser(call)
  return ok({ ...showAccount(call.state, account), name: account.name, email: null })
}

/** A user token of an App has no scopes: the permissions of the App apply. */
export function listEmails(call: Call) {
  const { account, app } = asUser(call)
  if (!app.permissions['email_addresses']) throw refuse(403, 'Resource not accessible by integration')
  return ok(account.emails.map((email) => ({ ...email, visibility: null })))
}

/** Installations of the App on the user's own account and on organizations of the user. */
export function listUserInstallations(call: Call) {
  const user = asUser(call)
  const all = [...call.state.installations.values()].filter(
    ({ app, suspendedAt, account }) =>
      app === user.app && !suspendedAt && (account === user.account || user.account.login in account.members),
  )
  const { items, headers } = page(call, all)
  const installations = items.map((one) => showInstallation(call.state, one))
  return ok({ total_count: all.length, installations }, headers)
}

export function getMembership(call: Call) {
  const { state, params } = call
  const { installation } = asInstallation(call, 'members')
  const organization = state.accounts.get(params['org'] ?? '')
  const role = organization?.members[params['login'] ?? '']
  if (!role || organization !== installation.account) throw notFound()
  return ok({ state: 'active', role, organization: showAccount(state, organization) })
}

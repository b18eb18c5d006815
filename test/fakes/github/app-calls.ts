import { z } from 'zod'
import { type Call, json, missing, page, readBody, Refusal } from './answer.ts'
import { asApp, asInstallation, maySee } from './authenticate.ts'
import { showApp, showInstallation, showRepository, seconds } from './show.ts'
import { newSecret, seesRepository } from './state.ts'

export const getApp = (call: Call) => json(call, 200, showApp(call.state, asApp(call)))

export function listInstallations(call: Call) {
  const app = asApp(call)
  const all = [...call.state.installations.values()].filter((one) => one.app === app)
  const { items, headers } = page(call, all)
  return json(
    call,
    200,
    items.map((one) => showInstallation(call.state, one)),
    headers,
  )
}

function ofApp(call: Call) {
  const app = asApp(call)
  const installation = call.state.installations.get(Number(call.params['id']))
  if (!installation || installation.app !== app) throw missing()
  return installation
}

export const getInstallation = (call: Call) => json(call, 200, showInstallation(call.state, ofApp(call)))

export function deleteInstallation(call: Call) {
  call.state.installations.delete(ofApp(call).id)
  return call.response.writeHead(204).end()
}

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

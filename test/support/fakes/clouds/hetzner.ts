import { randomBytes } from 'node:crypto'
import type { FakeKey } from './account.ts'
import { addKey, type Answer, type Api, type Call, fingerprintOf, ok, ownKeys, removeKey } from './answer.ts'
import { timeOf, type Routes } from './answer.ts'
import { type CloudOptions, startCloud } from './cloud.ts'
import * as catalogue from './hetzner/catalogue.ts'
import { hetznerError, invalid, notUnique, page, removed } from './hetzner/errors.ts'
import { readLabels } from './hetzner/labels.ts'
import { actionsOf, getServer, listServers, readWanted, showServer } from './hetzner/servers.ts'

const { images, locations, serverTypes, showImage, showPricing, showType } = catalogue

/** Deprecated images are left out unless asked for. */
function listImages(call: Call) {
  const asked = (name: string, allowed: string[]) => {
    const given = call.url.searchParams.getAll(name)
    if (!given.every((value) => allowed.includes(value))) throw invalid(name, 'is not allowed')
    return given.length === 0 ? allowed : given
  }
  const types = asked('type', ['system', 'app', 'snapshot', 'backup'])
  const architectures = asked('architecture', ['x86', 'arm'])
  const withOld = call.url.searchParams.get('include_deprecated') === 'true'
  const found = images.filter(
    ({ type, architecture, deprecated }) =>
      types.includes(type) && architectures.includes(architecture) && (withOld || deprecated === null),
  )
  return page(call, 'images', found, showImage)
}

function listKeys(call: Call) {
  const fingerprint = call.url.searchParams.get('fingerprint')
  const fits = ({ publicKey }: FakeKey) => fingerprint === null || fingerprintOf(publicKey) === fingerprint
  return page(call, 'ssh_keys', ownKeys(call).filter(fits), showKey)
}

/** Neither a name nor a key is there twice in a project. */
function createKey(call: Call): Answer {
  const { name, public_key: publicKey, labels } = call.body
  if (typeof name !== 'string' || name === '') throw invalid('name', 'Missing data for required field.')
  if (typeof publicKey !== 'string') throw invalid('public_key', 'Missing data for required field.')
  const fingerprint = fingerprintOf(publicKey)
  if (fingerprint === undefined) throw invalid('public_key', 'is not a valid SSH key')
  readLabels(labels)
  for (const other of ownKeys(call)) {
    if (fingerprintOf(other.publicKey) === fingerprint)
      throw notUnique('public_key', 'SSH key with the same fingerprint already exists')
    if (other.name === name) throw notUnique('name', 'SSH key name is already used')
  }
  return { status: 201, body: { ssh_key: showKey(addKey(call, name, publicKey)) } }
}

function findKey(call: Call): FakeKey {
  const found = ownKeys(call).find(({ id }) => id === call.params['id'])
  if (!found) throw hetznerError('not_found', `SSH key with ID '${call.params['id']}' not found`)
  return found
}

const showKey = ({ id, name, publicKey, created }: FakeKey) => ({
  id: Number(id),
  name,
  fingerprint: fingerprintOf(publicKey),
  public_key: publicKey,
  labels: {},
  created: timeOf(created, '+00:00'),
})

function routesOf(actions: ReturnType<typeof actionsOf>): Routes {
  async function createServer(call: Call) {
    const server = await call.makeServer(readWanted(call))
    const isDone = () => server.status !== 'starting'
    const started = call.body['start_after_create'] !== false
    if (!started) server.status = 'off'
    const body = {
      server: showServer(call, server),
      action: actions.start('create_server', server, isDone),
      next_actions: started ? [actions.start('start_server', server, isDone)] : [],
      root_password: server.keys.length === 0 ? 'YItygq1v3GYjjMomLaKc' : null,
    }
    return { status: 201, body }
  }

  function destroyServer(call: Call) {
    const server = getServer(call)
    if (server.protected) throw hetznerError('protected', 'server deletion is protected')
    if (server.status === 'deleting') throw hetznerError('locked', 'server is locked')
    call.destroyServer(server)
    const isDone = () => !call.state.servers.includes(server)
    return ok({ action: actions.start('delete_server', server, isDone) })
  }

  function getAction({ account, params }: Call) {
    const [action] = actions.find(account, [params['id']])
    if (!action) throw hetznerError('not_found', `action with ID '${params['id']}' not found`)
    return ok({ action })
  }

  return {
    'GET /v1/locations': ['look', (call) => page(call, 'locations', locations)],
    // Since October 2026; what datacenters said of types stands with the types now.
    'GET /v1/datacenters': ['look', removed('2026-06-02-datacenters-deprecated')],
    'GET /v1/server_types': [
      'look',
      (call) => page(call, 'server_types', serverTypes, (type) => showType(type, call.state)),
    ],
    'GET /v1/images': ['look', listImages],
    'GET /v1/pricing': ['look', ({ state }) => ok({ pricing: showPricing(state) })],
    'GET /v1/ssh_keys': ['look', listKeys],
    'POST /v1/ssh_keys': ['add key', createKey],
    'GET /v1/ssh_keys/:id': ['look', (call) => ok({ ssh_key: showKey(findKey(call)) })],
    'DELETE /v1/ssh_keys/:id': ['remove key', (call) => removeKey(call, findKey(call))],
    'GET /v1/servers': ['list', listServers],
    'POST /v1/servers': ['create', createServer],
    'GET /v1/servers/:id': ['look', (call) => ok({ server: showServer(call, getServer(call)) })],
    'DELETE /v1/servers/:id': ['destroy', destroyServer],
    'GET /v1/actions': ['look', removed('2023-07-20-actions-list-endpoint-is-deprecated')],
    'GET /v1/actions/:id': ['look', getAction],
  }
}

function makeApi(): Api {
  let lastId = 104_000_000
  return {
    routes: routesOf(actionsOf()),
    nextId: () => String(++lastId),
    newToken: () => randomBytes(48).toString('base64url').replaceAll(/[-_]/g, 'x'),
    refusals: {
      unauthorized: () => hetznerError('unauthorized', 'unable to authenticate'),
      readOnly: () => hetznerError('token_readonly', 'token is only allowed to perform GET requests'),
      missing: () => hetznerError('not_found', 'page not found'),
      badJson: () => hetznerError('json_error', 'invalid JSON input'),
      tooMany: () => hetznerError('rate_limit_exceeded', 'limit of 3600 requests per hour reached'),
      broken: () => hetznerError('server_error', 'internal server error'),
      down: () => hetznerError('unavailable', 'the API is currently not available'),
    },
    rateHeaders: ({ limit, remaining, reset }) => ({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(reset),
    }),
  }
}

/** Hetzner Cloud's API as its documentation has it in November 2026: there are no datacenters any more. */
export async function startFakeHetzner(options?: CloudOptions) {
  const cloud = await startCloud(makeApi(), options)
  return { ...cloud, env: { HCLOUD_API_URL: cloud.url } }
}

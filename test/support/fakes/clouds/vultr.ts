import { randomBytes, randomUUID } from 'node:crypto'
import type { FakeKey } from './account.ts'
import { addKey, type Api, type Call, fingerprintOf, ok, ownKeys, removeKey, type Routes } from './answer.ts'
import { timeOf } from './answer.ts'
import { type CloudOptions, startCloud } from './cloud.ts'
import { plans, regions, systems } from './vultr/catalogue.ts'
import * as instances from './vultr/instances.ts'

const { aclsOf, findInstance, forbidden, need, page, refuse, showInstance } = instances

const showKey = ({ id, created, name, publicKey }: FakeKey) => ({
  id,
  date_created: timeOf(created, '+00:00'),
  name,
  ssh_key: publicKey,
})

const findKey = (call: Call) => {
  const found = ownKeys(call).find(({ id }) => id === call.params['id'])
  if (!found) throw refuse(404, 'Invalid SSH key ID.')
  return found
}

/** Neither a name nor a key has to be new. */
function createKey(call: Call) {
  need(call, 'subscriptions', 'provisioning')
  const { name, ssh_key: publicKey } = call.body
  if (typeof name !== 'string' || name.trim() === '') throw refuse(400, 'Invalid name.')
  if (!fingerprintOf(publicKey)) throw refuse(400, 'Invalid SSH key.')
  return { status: 201, body: { ssh_key: showKey(addKey(call, name, String(publicKey))) } }
}

function deleteKey(call: Call) {
  need(call, 'subscriptions', 'provisioning')
  return removeKey(call, findKey(call))
}

const getAccount = (call: Call) =>
  ok({
    account: {
      name: call.account,
      email: `${call.account}@example.com`,
      acls: aclsOf(call),
      balance: -100.55,
      pending_charges: 60.25,
      last_payment_date: '2026-10-10T01:56:20+00:00',
      last_payment_amount: -1.25,
    },
  })

/** All types, or one. */
const plansOf = ({ url }: Call) => {
  const type = url.searchParams.get('type') ?? 'all'
  return plans.filter((plan) => type === 'all' || plan.type === type)
}

function listAvailable(call: Call) {
  const region = call.params['region'] ?? ''
  if (!regions.some(({ id }) => id === region)) throw refuse(400, 'Invalid region.')
  const isSold = ({ id, locations }: (typeof plans)[number]) =>
    locations.includes(region) && !call.state.soldOut.has(`${id}@${region}`)
  const available = plansOf(call).filter(isSold)
  return ok({ available_plans: available.map(({ id }) => id) })
}

function getInstance(call: Call) {
  need(call, 'subscriptions_view', 'subscriptions')
  return ok({ instance: showInstance(findInstance(call)) })
}

const routes: Routes = {
  'GET /v2/account': ['look', getAccount],
  'GET /v2/regions': ['list', (call) => page(call, 'regions', regions)],
  'GET /v2/regions/:region/availability': ['list', listAvailable],
  'GET /v2/plans': ['list', (call) => page(call, 'plans', plansOf(call))],
  'GET /v2/os': ['list', (call) => page(call, 'os', systems)],
  'GET /v2/ssh-keys': ['list', (call) => page(call, 'ssh_keys', ownKeys(call), showKey)],
  'POST /v2/ssh-keys': ['add key', createKey],
  'GET /v2/ssh-keys/:id': ['look', (call) => ok({ ssh_key: showKey(findKey(call)) })],
  'DELETE /v2/ssh-keys/:id': ['remove key', deleteKey],
  'GET /v2/instances': ['list', instances.listInstances],
  'POST /v2/instances': ['create', instances.createInstance],
  'GET /v2/instances/:id': ['look', getInstance],
  'DELETE /v2/instances/:id': ['destroy', instances.destroyInstance],
}

const api = (): Api => ({
  routes,
  nextId: () => randomUUID(),
  newToken: () => randomBytes(18).toString('hex').toUpperCase(),
  refusals: {
    unauthorized: () => refuse(401, 'Invalid API token.'),
    readOnly: forbidden,
    missing: () => refuse(404, 'Invalid route'),
    badJson: () => refuse(400, 'Invalid JSON.'),
    tooMany: () => refuse(429, 'Rate limit reached - please try your request again later.'),
    broken: () => refuse(500, 'Internal server error.'),
    down: () => refuse(503, 'Service unavailable.'),
  },
  // Vultr does not tell the remaining calls.
  rateHeaders: () => ({}),
})

/** The API of Vultr, version 2, as strict as the real one; from www.vultr.com/api. */
export async function startFakeVultr(options?: CloudOptions) {
  const cloud = await startCloud(api(), options)
  return { ...cloud, env: { VULTR_API_URL: cloud.url } }
}

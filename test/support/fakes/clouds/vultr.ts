import { randomBytes, randomUUID } from 'node:crypto'
import { Refusal, type Reply } from '../http-service.ts'
import { type Call, type CloudApi, formatTime, isQuotaReached, isSoldOut, keyRoutes } from './api.ts'
import { listOf, ok, ownKeys, serverRoutes, textOf } from './api.ts'
import { type CloudOptions, startCloud } from './cloud.ts'
import type { FakeServer } from './state.ts'
import catalog from './vultr.json' with { type: 'json' }

const { plans, regions, os: systems } = catalog

const refuse = (status: number, error: string) => new Refusal(status, { error, status })
const addFailed = (reason: string) => refuse(400, `Server add failed: ${reason}`)

const encodeCursor = (direction: 'next' | 'prev', offset: number) =>
  Buffer.from(`${direction}__${offset}`).toString('base64')

/** Other pages are named by a cursor, or by an empty string where there are none. */
function page<T extends object>(
  { url, state }: Call,
  key: string,
  all: T[],
  show: (item: T) => object = (item) => item,
): Reply {
  const requested = url.searchParams.get('per_page') ?? '100'
  if (!/^[1-9]\d*$/.test(requested) || Number(requested) > 500) throw refuse(400, 'Invalid per_page value.')
  const size = Math.min(Number(requested), state.mostPerPage)
  const cursor = Buffer.from(url.searchParams.get('cursor') ?? '', 'base64').toString() || 'next__0'
  const [, offset] = /^(?:next|prev)__(\d+)$/.exec(cursor) ?? []
  if (offset === undefined) throw refuse(400, 'Invalid cursor.')
  const from = Number(offset)
  const links = {
    next: from + size < all.length ? encodeCursor('next', from + size) : '',
    prev: from > 0 ? encodeCursor('prev', Math.max(0, from - size)) : '',
  }
  return ok({ [key]: all.slice(from, from + size).map(show), meta: { total: all.length, links } })
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

async function createInstance(call: Call): Promise<Reply> {
  const { body, state } = call
  const region = textOf(body['region'])
  const hostname = textOf(body['hostname'], 'vultr')
  const userData = textOf(body['user_data'])
  if (!/^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,61}[a-zA-Z0-9])?$/.test(hostname)) throw refuse(400, 'Invalid hostname.')
  if (!base64.test(userData)) throw refuse(400, 'Invalid user_data: it must be base64 encoded.')
  if (!regions.some(({ id }) => id === region)) throw refuse(400, 'Invalid region.')
  const plan = plans.find(({ id }) => id === body['plan'])
  if (!plan?.locations.includes(region)) throw refuse(400, 'Invalid plan chosen.')
  const system = systems.find(({ id }) => id === body['os_id'])
  if (!system) throw refuse(400, 'Invalid os_id.')
  if (['iso', 'snapshot', 'backup', 'application'].includes(system.family))
    throw refuse(400, `${system.name} needs more than an os_id.`)
  if (plan.ram < 1_000) throw addFailed(`${system.name} requires a plan with at least 1000 MB memory.`)
  const keys = listOf(body['sshkey_id']).map((wanted) => {
    const key = ownKeys(call).find(({ id }) => id === wanted)
    if (!key) throw refuse(400, 'Invalid SSH key ID.')
    return key
  })
  if (isSoldOut(state, plan.id, region)) throw addFailed('Plan is not available in the selected region.')
  if (isQuotaReached(call))
    throw addFailed('You have reached the maximum number of active virtual machines for this account.')
  const instance = await call.createServer({
    // Users see the label; the host has its own name.
    name: textOf(body['label']),
    region,
    type: plan.id,
    image: String(system.id),
    tags: listOf(body['tags']),
    keys,
    labels: { hostname },
    userData: Buffer.from(userData, 'base64').toString(),
  })
  return { status: 202, body: { instance: { ...showInstance(instance), default_password: 'x9$Wb2{cD7' } } }
}

function checkDeletion({ status, created }: FakeServer) {
  const prefix = 'Unable to destroy server:'
  if (status === 'deleting') throw refuse(400, `${prefix} Server is already pending destruction.`)
  // The real API answers so, with this status, for a while after the creation.
  if (status === 'starting' && Date.now() - created.getTime() < 500)
    throw refuse(500, `${prefix} Unable to remove VM: Server is currently locked`)
}

function filterInstances({ url }: Call): (instance: FakeServer) => boolean {
  const tag = url.searchParams.get('tag')?.toLowerCase()
  return ({ tags }) => tag === undefined || tags.some((other) => other.toLowerCase() === tag)
}

/** An instance that runs is reported as booting for a long time. */
function serverStatusOf({ status, created }: FakeServer): string {
  if (status === 'starting') return 'none'
  if (status === 'deleting') return 'locked'
  return Date.now() - created.getTime() < 60_000 ? 'installingbooting' : 'ok'
}

function showInstance(instance: FakeServer) {
  const { id, name, region, type, image, status, created, tags, labels, address } = instance
  const plan = plans.find((one) => one.id === type)
  const isStarting = status === 'starting'
  return {
    id,
    os: systems.find((system) => String(system.id) === image)?.name ?? image,
    ram: plan?.ram,
    disk: plan?.disk,
    vcpu_count: plan?.vcpu_count,
    plan: type,
    region,
    tags,
    main_ip: isStarting ? '0.0.0.0' : address,
    date_created: formatTime(created),
    status: isStarting ? 'pending' : 'active',
    power_status: status === 'off' ? 'stopped' : 'running',
    server_status: serverStatusOf(instance),
    allowed_bandwidth: 1,
    v6_network: '',
    v6_main_ip: '',
    v6_network_size: 0,
    internal_ip: '',
    label: name,
    hostname: labels['hostname'] ?? 'vultr',
    os_id: Number(image),
    features: [],
  }
}

const allAcls =
  'manage_users subscriptions_view subscriptions provisioning billing support abuse dns upgrade objstore loadbalancer firewall alerts'

/** API keys have the ACLs of their user. */
function getAccount({ account, rights }: Call) {
  const acls = rights === 'all' ? allAcls.split(' ') : ['subscriptions_view']
  return ok({
    account: {
      name: account,
      email: `${account}@example.com`,
      acls: Array.isArray(rights) ? rights : acls,
      balance: -100.55,
      pending_charges: 60.25,
    },
  })
}

function listAvailable(call: Call) {
  const region = call.params['id'] ?? ''
  if (!regions.some(({ id }) => id === region)) throw refuse(400, 'Invalid region.')
  const available = plans.filter(
    ({ id, locations }) => locations.includes(region) && !isSoldOut(call.state, id, region),
  )
  return ok({ available_plans: available.map(({ id }) => id) })
}

/** A user who may manage users may do everything. */
const acls = (...oneOf: string[]) => ['manage_users', ...oneOf]

const routes: CloudApi['routes'] = {
  'GET /v2/account': ['look', getAccount],
  'GET /v2/regions': ['list', (call) => page(call, 'regions', regions)],
  'GET /v2/regions/:id/availability': ['list', listAvailable],
  'GET /v2/plans': ['list', (call) => page(call, 'plans', plans)],
  'GET /v2/os': ['list', (call) => page(call, 'os', systems)],
  ...keyRoutes({
    path: '/v2/ssh-keys',
    field: 'ssh_key',
    scopes: {
      create: acls('subscriptions', 'provisioning'),
      delete: acls('subscriptions', 'provisioning'),
    },
    page,
    show: ({ id, created, name, publicKey }) => ({
      id,
      date_created: formatTime(created),
      name,
      ssh_key: publicKey,
    }),
    notFound: () => refuse(404, 'Invalid SSH key ID.'),
    blankName: () => refuse(400, 'Invalid name.'),
    invalidKey: () => refuse(400, 'Invalid SSH key.'),
  }),
  ...serverRoutes({
    path: '/v2/instances',
    name: 'instance',
    scopes: {
      read: acls('subscriptions_view', 'subscriptions'),
      create: acls('provisioning'),
      delete: acls('subscriptions'),
    },
    page,
    show: (_, instance) => showInstance(instance),
    notFound: () => refuse(404, 'instance not found'),
    filter: filterInstances,
    create: createInstance,
    checkDeletion,
  }),
}

const api: CloudApi = {
  document: 'vultr',
  routes,
  nextId: () => randomUUID(),
  newToken: () => randomBytes(18).toString('hex').toUpperCase(),
  errors: {
    unauthorized: () => refuse(401, 'Invalid API token.'),
    forbidden: () => refuse(403, 'You are not authorized to perform this operation.'),
    notFound: () => refuse(404, 'Invalid route'),
    badJson: () => refuse(400, 'Invalid JSON.'),
    rateLimited: () => refuse(429, 'Rate limit reached - please try your request again later.'),
    serverError: () => refuse(500, 'Internal server error.'),
    unavailable: () => refuse(503, 'Service unavailable.'),
  },
  invalid: ({ field }) => refuse(400, field === 'plan' ? 'Invalid plan chosen.' : `Invalid ${field}.`),
  hasRateHeaders: false,
}

/** The API of Vultr, version 2, as strict as the real one; from www.vultr.com/api. */
export async function startFakeVultr(options?: CloudOptions) {
  const cloud = await startCloud(api, options)
  return { ...cloud, env: { VULTR_API_URL: cloud.url } }
}

import type { Reply } from '../../http-service.ts'
import {
  type Call,
  formatTime,
  isQuotaReached,
  isSoldOut,
  listOf,
  ownKeys,
  ownServers,
  textOf,
} from '../api.ts'
import catalog from '../hetzner.json' with { type: 'json' }
import type { CloudState, FakeServer } from '../state.ts'
import { hetznerError, invalid, notUnique } from './errors.ts'

const { locations, server_types: serverTypes, images } = catalog
type ServerType = (typeof serverTypes)[number]

const labelValue = /^([a-z0-9A-Z]([a-z0-9A-Z._-]{0,61}[a-z0-9A-Z])?)?$/
const hostname = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

function isLabelKey(key: string): boolean {
  const [name = '', prefix, more] = key.split('/').toReversed()
  if (name === '' || !labelValue.test(name) || more !== undefined) return false
  return prefix === undefined || (hostname.test(prefix) && prefix !== 'hetzner.cloud')
}

function readLabels(given: unknown): Record<string, string> {
  const labels = Object.entries(given ?? {}).map(([key, value]) => [key, textOf(value)] as const)
  for (const [key, value] of labels)
    if (!isLabelKey(key) || !labelValue.test(value)) throw invalid('labels', `invalid label '${key}'`)
  return Object.fromEntries(labels)
}

/** Expressions `key`, `key=value` and `key==value`, separated by commas; the fake knows no others. */
export function filterServers({ url }: Call): (server: FakeServer) => boolean {
  const selector = url.searchParams.get('label_selector')
  const expressions = (selector === null ? [] : selector.split(',')).map((part) => {
    const [, key = '', value] = /^([^=!]+)(?:==?([^=!]*))?$/.exec(part) ?? []
    if (!isLabelKey(key) || !labelValue.test(value ?? ''))
      throw invalid('label_selector', 'is not a valid label selector')
    return { key, value }
  })
  return ({ labels }) =>
    expressions.every(({ key, value }) => key in labels && (value === undefined || labels[key] === value))
}

/** Finds an item by its id or its name. */
function pick<T extends { id: number; name: string | null }>(field: string, given: unknown, all: T[]): T {
  const found = all.find(({ id, name }) => String(id) === given || name === given)
  if (!found) throw invalid(field, 'does not exist')
  return found
}

/** A name stands for the image of the architecture of the type. */
function pickImage(given: unknown, { architecture }: ServerType) {
  const fitting = images.filter((image) => image.architecture === architecture)
  const image = pick('image', given, [...fitting, ...images])
  if (image.architecture !== architecture)
    throw invalid('image', `image architecture must be ${architecture} for this server type`)
  return image
}

function pickKeys(call: Call) {
  return listOf(call.body['ssh_keys']).map((wanted) => {
    const key = ownKeys(call).find(({ id, name }) => id === wanted || name === wanted)
    if (!key) throw hetznerError('not_found', `SSH key '${wanted}' not found`)
    return key
  })
}

const isUnavailable = ({ unavailable_after: date }: ServerType) =>
  date !== null && new Date(date) < new Date()

export async function createServer(call: Call): Promise<Reply> {
  const { body, state } = call
  const name = textOf(body['name'])
  const userData = textOf(body['user_data'])
  if (!hostname.test(name)) throw invalid('name', 'is not a valid hostname')
  if (Buffer.byteLength(userData) > 32 * 1024) throw invalid('user_data', 'is too long')
  const labels = readLabels(body['labels'])
  const type = pick('server_type', body['server_type'], serverTypes)
  const image = String(pickImage(body['image'], type).id)
  const { name: region } = pick('location', body['location'] ?? 'fsn1', locations)
  const keys = pickKeys(call)
  if (ownServers(call).some((server) => server.name === name))
    throw notUnique('name', 'server name is already used')
  if (!type.offered_in.includes(region))
    throw hetznerError('invalid_input', 'unsupported location for server type')
  if (isUnavailable(type)) throw hetznerError('invalid_input', `server type ${type.id} is deprecated`)
  const limits = [{ name: 'server_limit' }]
  if (isQuotaReached(call)) throw hetznerError('resource_limit_exceeded', 'server limit exceeded', { limits })
  if (isSoldOut(state, type.name, region))
    throw hetznerError('resource_unavailable', 'error during placement')
  const server = await call.createServer({ name, region, type: type.name, image, labels, keys, userData })
  return {
    status: 201,
    body: {
      server: showServer(call, server),
      action: showAction('create_server', server),
      next_actions: [showAction('start_server', server)],
      root_password: keys.length === 0 ? 'YItygq1v3GYjjMomLaKc' : null,
    },
  }
}

export function checkDeletion(server: FakeServer) {
  if (server.protected) throw hetznerError('protected', 'server deletion is protected')
  if (server.status === 'deleting') throw hetznerError('locked', 'server is locked')
}

export const showAction = (command: string, { id }: FakeServer) => ({
  id: Number(id) + 1_000_000,
  command,
  status: 'running',
  progress: 0,
  started: formatTime(new Date()),
  finished: null,
  resources: [{ id: Number(id), type: 'server' }],
  error: null,
})

export function showServer({ state }: Call, server: FakeServer) {
  const type = pick('server_type', server.type, serverTypes)
  const protection = server.protected ?? false
  const ipv4 = { id: 1, ip: server.address, blocked: false, dns_ptr: 'static' }
  const network = `2001:db8:${Number(server.id).toString(16).slice(-4)}:1::/64`
  return {
    id: Number(server.id),
    name: server.name,
    status: server.status === 'starting' ? 'initializing' : server.status,
    created: formatTime(server.created),
    public_net: {
      ipv4: server.address === '' ? null : ipv4,
      ipv6: { id: 2, ip: network, blocked: false, dns_ptr: [] },
      floating_ips: [],
    },
    server_type: showType(state, type),
    location: locations.find(({ name }) => name === server.region),
    image: images.find(({ id, name }) => String(id) === server.image || name === server.image) ?? null,
    locked: server.status === 'deleting',
    included_traffic: 21_990_232_555_520,
    protection: { delete: protection, rebuild: protection },
    labels: server.labels,
    primary_disk_size: type.disk,
    private_net: [],
    rescue_enabled: false,
    iso: null,
    backup_window: null,
    outgoing_traffic: null,
    ingoing_traffic: null,
  }
}

export const vatRate = 19
const priceOf = (net: number) => ({ net: net.toFixed(10), gross: (net * (1 + vatRate / 100)).toFixed(16) })
export const pricesOf = (monthly: number) => ({
  price_hourly: priceOf(monthly / 624),
  price_monthly: priceOf(monthly),
})

export function showType(state: CloudState, type: ServerType) {
  const { unavailable_after, offered_in, monthly_net: monthly, ...facts } = type
  const deprecation = unavailable_after && { announced: '2025-10-01T00:00:00+00:00', unavailable_after }
  return {
    ...facts,
    description: facts.name.toUpperCase(),
    storage_type: 'local',
    deprecated: deprecation !== null,
    deprecation,
    prices: offered_in.map((location) => ({
      location,
      ...pricesOf(location === 'sin' ? monthly * 1.5 : monthly),
      included_traffic: 21_990_232_555_520,
      price_per_tb_traffic: priceOf(1),
    })),
    locations: locations
      .filter(({ name }) => offered_in.includes(name))
      .map(({ id, name }) => ({
        id,
        name,
        deprecation,
        recommended: deprecation === null,
        available: !isUnavailable(type) && !isSoldOut(state, facts.name, name),
      })),
  }
}

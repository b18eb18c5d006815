import type { FakeServer } from '../account.ts'
import { type Answer, type Call, isFull, ownKeys, ownServers, timeOf, type Wanted } from '../answer.ts'
import { type Image, images, isOver, locations, type ServerType, serverTypes } from './catalogue.ts'
import { showImage, showType } from './catalogue.ts'
import { hetznerError, invalid, notUnique, page } from './errors.ts'
import { readLabels, readSelector } from './labels.ts'

const fields =
  'name location server_type image start_after_create placement_group ssh_keys volumes networks firewalls user_data labels automount public_net'
const hostname = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i
const mostUserData = 32 * 1024

/** What a server is to be, once every check has passed. */
export function readWanted(call: Call): Wanted {
  const { body } = call
  for (const name of Object.keys(body))
    if (!fields.split(' ').includes(name)) throw invalid(name, 'Unknown field.')
  const { name, user_data: userData = '', start_after_create: start = true } = body
  if (typeof name !== 'string') throw invalid('name', 'Missing data for required field.')
  if (!hostname.test(name)) throw invalid('name', 'is not a valid hostname')
  if (typeof userData !== 'string') throw invalid('user_data', 'Not a valid string.')
  if (Buffer.byteLength(userData) > mostUserData) throw invalid('user_data', 'is too long')
  if (typeof start !== 'boolean') throw invalid('start_after_create', 'Not a valid boolean.')
  const labels = readLabels(body['labels'])
  const type = pick('server_type', body['server_type'], serverTypes)
  const image = pickImage(body['image'], type)
  const { name: region } = pick('location', body['location'] ?? 'fsn1', locations)
  const keys = readKeys(call)
  if (ownServers(call).some((one) => one.name === name))
    throw notUnique('name', 'server name is already used')
  checkOrder(call, type, region)
  return { name, region, type: type.name, image: String(image.id), labels, keys, userData }
}

/** By its id or its name. */
function pick<T extends { id: number; name: string | null }>(field: string, given: unknown, all: T[]): T {
  if (typeof given !== 'string' && typeof given !== 'number')
    throw invalid(field, 'Missing data for required field.')
  const found = all.find(({ id, name }) => String(id) === String(given) || name === given)
  if (!found) throw invalid(field, 'does not exist')
  return found
}

/** A name stands for the image that fits the type. */
function pickImage(given: unknown, { architecture }: ServerType): Image {
  const fitting = images.filter((image) => image.architecture === architecture)
  const image = pick('image', given, [...fitting, ...images])
  if (image.architecture !== architecture)
    throw invalid('image', `image architecture must be ${architecture} for this server type`)
  return image
}

function readKeys(call: Call) {
  const given = call.body['ssh_keys'] ?? []
  if (!Array.isArray(given)) throw invalid('ssh_keys', 'Not a valid list.')
  return given.map((wanted: unknown) => {
    const key = ownKeys(call).find(({ id, name }) => id === String(wanted) || name === wanted)
    if (!key) throw hetznerError('not_found', `SSH key '${String(wanted)}' not found`)
    return key
  })
}

function checkOrder(call: Call, type: ServerType, location: string) {
  if (!type.offered.includes(location))
    throw hetznerError('invalid_input', 'unsupported location for server type')
  if (isOver(type)) throw hetznerError('invalid_input', `server type ${type.id} is deprecated`)
  const limits = [{ name: 'server_limit' }]
  if (isFull(call)) throw hetznerError('resource_limit_exceeded', 'server limit exceeded', { limits })
  if (call.state.soldOut.has(`${type.name}@${location}`))
    throw hetznerError('resource_unavailable', 'error during placement')
}

const statuses = 'initializing starting running stopping off deleting rebuilding migrating unknown'.split(' ')

export function listServers(call: Call): Answer {
  const { searchParams } = call.url
  const wanted = searchParams.getAll('status')
  if (!wanted.every((status) => statuses.includes(status))) throw invalid('status', 'is not allowed')
  const selector = searchParams.get('label_selector')
  const fits = selector ? readSelector(selector) : () => true
  const found = ownServers(call).filter(
    (server) => fits(server.labels) && (wanted.length === 0 || wanted.includes(statusOf(server))),
  )
  return page(call, 'servers', found, (server) => showServer(call, server))
}

export function getServer(call: Call): FakeServer {
  const { id } = call.params
  if (!/^\d+$/.test(id ?? '')) throw invalid('id', 'must be an integer')
  const found = ownServers(call).find((one) => one.id === id)
  if (!found) throw hetznerError('not_found', `server with ID '${id}' not found`)
  return found
}

const statusOf = ({ status }: FakeServer) => (status === 'starting' ? 'initializing' : status)

export function showServer({ state }: Call, server: FakeServer) {
  const type = serverTypes.find(({ name }) => name === server.type)
  if (!type) throw new Error(`There is no type ${server.type} at Hetzner.`)
  const image = images.find(({ id, name }) => String(id) === server.image || name === server.image)
  const { address, labels, name } = server
  const prefix = `2001:db8:${Number(server.id).toString(16).slice(-4)}:1::`
  return {
    id: Number(server.id),
    name,
    status: statusOf(server),
    created: timeOf(server.created, '+00:00'),
    public_net: {
      ipv4: address === '' ? null : { id: 1, ip: address, blocked: false, dns_ptr: 'static' },
      ipv6: { id: 2, ip: `${prefix}/64`, blocked: false, dns_ptr: [] },
      floating_ips: [],
      firewalls: [],
    },
    server_type: showType(type, state),
    location: locations.find((one) => one.name === server.region),
    image: image ? showImage(image) : null,
    locked: server.status === 'deleting',
    included_traffic: 21_990_232_555_520,
    protection: { delete: server.protected ?? false, rebuild: server.protected ?? false },
    labels,
    primary_disk_size: type.disk,
    private_net: [],
    volumes: [],
    load_balancers: [],
    rescue_enabled: false,
    iso: null,
    backup_window: null,
    outgoing_traffic: null,
    ingoing_traffic: null,
    placement_group: null,
  }
}

/** Operations that take time, each with its id. Only those that are asked for are listed. */
export function actionsOf() {
  const all: { id: number; command: string; server: FakeServer; started: Date; isDone: () => boolean }[] = []

  function show({ id, command, server, started, isDone }: (typeof all)[number]) {
    const status = isDone() ? 'success' : 'running'
    const finished = isDone() ? timeOf(new Date(), '+00:00') : null
    const resources = [{ id: Number(server.id), type: 'server' }]
    const times = { started: timeOf(started, '+00:00'), finished }
    return { id, command, status, progress: isDone() ? 100 : 0, ...times, resources, error: null }
  }

  return {
    start(command: string, server: FakeServer, isDone: () => boolean) {
      const action = { id: 1_000_000 + all.length, command, server, started: new Date(), isDone }
      all.push(action)
      return show(action)
    },
    find(account: string, ids: (string | undefined)[]) {
      return all.filter(({ id, server }) => server.account === account && ids.includes(String(id))).map(show)
    },
  }
}

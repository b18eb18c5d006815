import type { Call, Wanted } from '../answer.ts'
import { type Image, images, locations, type ServerType, serverTypes } from './catalogue.ts'
import { isOver } from './catalogue-calls.ts'
import { hetznerError, invalid, notUnique } from './errors.ts'
import { keysOf } from './key-calls.ts'
import { readLabels } from './labels.ts'

const fields = new Set([
  'name',
  'location',
  'server_type',
  'image',
  'start_after_create',
  'placement_group',
  'ssh_keys',
  'volumes',
  'networks',
  'firewalls',
  'user_data',
  'labels',
  'automount',
  'public_net',
])
const hostname = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i
const mostUserData = 32 * 1024

/** What a server is to be, once nothing speaks against it. */
export function readWanted(call: Call): Wanted {
  const body = call.body ?? {}
  for (const name of Object.keys(body)) if (!fields.has(name)) throw invalid(name, 'Unknown field.')
  const { name, user_data: userData = '', start_after_create: start = true } = body
  if (typeof name !== 'string') throw invalid('name', 'Missing data for required field.')
  if (!hostname.test(name)) throw invalid('name', 'is not a valid hostname')
  if (typeof userData !== 'string') throw invalid('user_data', 'Not a valid string.')
  if (Buffer.byteLength(userData) > mostUserData) throw invalid('user_data', 'is too long')
  if (typeof start !== 'boolean') throw invalid('start_after_create', 'Not a valid boolean.')
  const labels = readLabels(body['labels'])
  const type = pick('server_type', body['server_type'], serverTypes)
  const image = pickImage(body['image'], type)
  const location =
    body['location'] === undefined ? 'fsn1' : pick('location', body['location'], locations).name
  const keys = readKeys(call)
  if (call.state.servers.some((one) => one.account === call.account && one.name === name))
    throw notUnique('name', 'server name is already used')
  checkOrder(call, type, location)
  return { name, region: location, type: type.name, image: String(image.id), labels, keys, userData }
}

/** By its number or by its name. */
function pick<T extends { id: number; name: string | null }>(field: string, given: unknown, all: T[]): T {
  if (typeof given !== 'string' && typeof given !== 'number')
    throw invalid(field, 'Missing data for required field.')
  const found = all.find(({ id, name }) => String(id) === String(given) || name === given)
  if (!found) throw invalid(field, 'does not exist')
  return found
}

/** A name stands for the one that fits the type. */
function pickImage(given: unknown, { architecture }: ServerType): Image {
  const fitting = images.filter((image) => image.architecture === architecture)
  const image = pick('image', given, [...fitting, ...images])
  if (image.architecture !== architecture)
    throw invalid('image', `image architecture must be ${architecture} for this server type`)
  return image
}

function readKeys(call: Call) {
  const given = call.body?.['ssh_keys'] ?? []
  if (!Array.isArray(given)) throw invalid('ssh_keys', 'Not a valid list.')
  return given.map((wanted: unknown) => {
    const key = keysOf(call).find(({ id, name }) => id === String(wanted) || name === wanted)
    if (!key) throw hetznerError('not_found', `SSH key '${String(wanted)}' not found`)
    return key
  })
}

function checkOrder({ state, account }: Call, type: ServerType, location: string) {
  if (!type.offered.includes(location))
    throw hetznerError('invalid_input', 'unsupported location for server type')
  if (isOver(type)) throw hetznerError('invalid_input', `server type ${type.id} is deprecated`)
  if (state.servers.filter((one) => one.account === account).length >= state.quota)
    throw hetznerError('resource_limit_exceeded', 'server limit exceeded', {
      limits: [{ name: 'server_limit' }],
    })
  if (state.soldOut.has(`${type.name}@${location}`))
    throw hetznerError('resource_unavailable', 'error during placement')
}

import { z } from 'zod'
import type { CloudState, FakeKey, FakeServer } from '../account.ts'
import { type Call, fingerprintOf, isFull, ok, ownKeys, ownServers, timeOf } from '../answer.ts'
import { missing, need, page, unfit } from './answers.ts'
import { images, regions, sizes } from './catalogue.ts'

/** A size that is sold out in a region does not name that region. */
export const sizesNow = ({ soldOut }: CloudState) =>
  sizes.map((size) => ({
    ...size,
    regions: size.regions.filter((region) => !soldOut.has(`${size.slug}@${region}`)),
  }))

export const showRegion = (state: CloudState) => (region: (typeof regions)[number]) => ({
  ...region,
  features: ['backups', 'ipv6', 'metadata', 'install_agent', 'storage', 'image_transfer'],
  sizes: sizesNow(state)
    .filter((size) => size.regions.includes(region.slug))
    .map(({ slug }) => slug),
})

/** Keys are named by their id or their fingerprint. */
export const isNamed = (key: FakeKey, by: unknown) =>
  key.id === String(by) || fingerprintOf(key.publicKey) === by

const either = z.union([z.string(), z.number().int()])
const invalid = (what: string) => ({ error: `You specified ${what} for Droplet creation.` })
const tag = z.string({ error: "Name can't be blank" }).regex(/^[a-zA-Z0-9:_-]{1,255}$/, {
  error: 'Tags may only contain letters, numbers, colons, dashes, and underscores.',
})
const hostname = z
  .string({ error: "Name can't be blank" })
  .max(255)
  .regex(/^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/, {
    error: 'Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)',
  })
const isShort = (text: string) => Buffer.byteLength(text) <= 65_536
const wanted = z.object({
  name: hostname,
  region: z.string(invalid('an invalid region')),
  size: z.string(invalid('an invalid size')),
  image: z.union(either.options, invalid('an invalid image')),
  ssh_keys: z.array(either, invalid('invalid ssh key ids')).default([]),
  tags: z.array(tag).nullable().default([]),
  user_data: z.string().refine(isShort, { error: 'User data must be at most 64 KiB.' }).default(''),
  ipv6: z.boolean().default(false),
  monitoring: z.boolean().default(false),
  backups: z.boolean().default(false),
})

export async function createDroplet(call: Call) {
  const { state } = call
  const { data, error } = wanted.safeParse(call.body)
  if (!data) throw unfit(error.issues[0]?.message)
  const tags = data.tags ?? []
  if (tags.length > 0) need(call, 'tag:create')
  if (data.ssh_keys.length > 0) need(call, 'ssh_key:read')
  const region = regions.find(({ slug }) => slug === data.region)
  if (!region) throw unfit(invalid('an invalid region').error)
  if (!region.available) throw unfit('Region is not available')
  const size = sizesNow(state).find(({ slug }) => slug === data.size)
  if (!size) throw unfit(invalid('an invalid size').error)
  if (!size.regions.includes(region.slug)) throw unfit('Size is not available in this region.')
  const image = images.find(({ slug, id }) => slug === data.image || String(id) === String(data.image))
  if (!image) throw unfit(invalid('an invalid image').error)
  if (image.min_disk_size > size.disk) throw unfit('The image you selected does not fit on this size.')
  const keys = data.ssh_keys.map((by) => {
    const found = ownKeys(call).find((one) => isNamed(one, by))
    if (!found) throw unfit(`${by} are invalid key identifiers for Droplet creation.`)
    return found
  })
  if (isFull(call)) throw unfit('creating this/these droplet(s) will exceed your droplet limit')
  const place = { region: region.slug, type: size.slug, image: image.slug }
  const droplet = await call.makeServer({ name: data.name, ...place, tags, keys, userData: data.user_data })
  const { id } = actionOf(droplet)
  const actions = [{ id, rel: 'create', href: `${state.url}/v2/actions/${id}` }]
  return { status: 202, body: { droplet: showDroplet(call, droplet), links: { actions } } }
}

export function findDroplet(call: Call): FakeServer {
  const found = ownServers(call).find(({ id }) => id === call.params['id'])
  if (!found) throw missing()
  return found
}

export function destroyDroplet(call: Call) {
  const droplet = findDroplet(call)
  if (isLocked(droplet)) throw unfit('Droplet already has a pending event.')
  call.destroyServer(droplet)
  return { status: 204 }
}

export function listDroplets(call: Call) {
  const [tagged, name] = ['tag_name', 'name'].map((one) => call.url.searchParams.get(one)?.toLowerCase())
  if (tagged !== undefined) need(call, 'tag:read')
  if (tagged !== undefined && name !== undefined) throw unfit('tag_name and name can not be combined')
  const found = ownServers(call).filter(
    (one) =>
      (tagged === undefined || one.tags.some((other) => other.toLowerCase() === tagged)) &&
      (name === undefined || one.name.toLowerCase() === name),
  )
  return page(call, 'droplets', found, (one) => showDroplet(call, one))
}

export function getAction(call: Call) {
  const actions = ownServers(call).map(actionOf)
  const action = actions.find(({ id }) => String(id) === call.params['id'])
  if (!action) throw missing()
  return ok({ action })
}

/** A tag exists with its first droplet; created beforehand, it has none yet. */
export function addTag({ body }: Call) {
  const { data, error } = tag.safeParse(body['name'])
  if (data === undefined) throw unfit(error.issues[0]?.message)
  return { status: 201, body: { tag: { name: data, resources: { count: 0, droplets: { count: 0 } } } } }
}

/** One event at a time. The event of a creation that got stuck ends after a while. */
const isLocked = ({ status, created }: FakeServer) =>
  status === 'deleting' || (status === 'starting' && Date.now() - created.getTime() < 500)

const statuses = { starting: 'new', running: 'active', off: 'off', deleting: 'active' } as const

export function showDroplet({ state }: Call, droplet: FakeServer) {
  const size = sizesNow(state).find(({ slug }) => slug === droplet.type)
  const region = regions.find(({ slug }) => slug === droplet.region)
  const inside = `10.114.0.${(Number(droplet.id) % 250) + 2}`
  // The private one comes first; a new droplet may have none at all.
  const networks = [
    { ip_address: inside, netmask: '255.255.240.0', type: 'private', gateway: '' },
    { ip_address: droplet.address, netmask: '255.255.255.0', type: 'public', gateway: '203.0.113.1' },
  ]
  return {
    id: Number(droplet.id),
    name: droplet.name,
    memory: size?.memory,
    vcpus: size?.vcpus,
    disk: size?.disk,
    locked: isLocked(droplet),
    status: statuses[droplet.status],
    kernel: null,
    created_at: timeOf(droplet.created),
    features: ['droplet_agent', 'private_networking'],
    backup_ids: [],
    next_backup_window: null,
    snapshot_ids: [],
    volume_ids: [],
    image: images.find(({ slug }) => slug === droplet.image) ?? { slug: null, name: droplet.image },
    size,
    size_slug: droplet.type,
    networks: { v4: droplet.status === 'starting' ? [] : networks, v6: [] },
    region: region && showRegion(state)(region),
    tags: droplet.tags,
    vpc_uuid: '760e09ef-dc84-11e8-981e-3cfdfeaae000',
  }
}

export const actionOf = ({ id, status, region, created }: FakeServer) => ({
  id: Number(id) + 1_000_000_000,
  status: status === 'starting' ? 'in-progress' : 'completed',
  type: 'create',
  started_at: timeOf(created),
  completed_at: status === 'starting' ? null : timeOf(new Date()),
  resource_id: Number(id),
  resource_type: 'droplet',
  region_slug: region,
})

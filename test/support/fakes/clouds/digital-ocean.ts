import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Refusal, type Reply } from '../http-service.ts'
import { pageOf } from '../page.ts'
import { type Call, type CloudApi, fingerprintOf, formatTime, isQuotaReached, isSoldOut } from './api.ts'
import { keyRoutes, listOf, ok, ownKeys, serverRoutes, textOf } from './api.ts'
import { type CloudOptions, startCloud } from './cloud.ts'
import catalog from './digital-ocean.json' with { type: 'json' }
import type { CloudState, FakeKey, FakeServer } from './state.ts'

const { regions, images } = catalog

const refuse = (status: number, id: string, message: string) =>
  new Refusal(status, { id, message, request_id: randomUUID() })
const unprocessable = (message: string) => refuse(422, 'unprocessable_entity', message)
const notFound = () => refuse(404, 'not_found', 'The resource you requested could not be found.')
const invalidForCreation = (what: string) => unprocessable(`You specified ${what} for Droplet creation.`)

/** A page has 20 items by default and at most 200, with links to other pages if there are any. */
function page<T>(call: Call, key: string, all: T[], show: (item: T) => object): Reply {
  const { items, page, last, linkTo } = pageOf(call.url, all, {
    size: 20,
    most: Math.min(200, call.state.mostPerPage),
    invalid: (parameter) => refuse(400, 'bad_request', `invalid value for ${parameter}`),
  })
  const pages = {
    ...(page > 1 && { first: linkTo(1), prev: linkTo(page - 1) }),
    ...(page < last && { next: linkTo(page + 1), last: linkTo(last) }),
  }
  return ok({ [key]: items.map(show), links: last > 1 ? { pages } : {}, meta: { total: all.length } })
}

/** A size that is sold out in a region does not list that region. */
const listSizes = (state: CloudState) =>
  catalog.sizes.map((size) => ({
    ...size,
    regions: size.regions.filter((region) => !isSoldOut(state, size.slug, region)),
  }))

const showRegion = (state: CloudState, region: (typeof regions)[number]) => ({
  ...region,
  sizes: listSizes(state)
    .filter((size) => size.regions.includes(region.slug))
    .map(({ slug }) => slug),
})

/** A key is identified by its id or its fingerprint. */
const isIdOf = (id: string, key: FakeKey) => key.id === id || fingerprintOf(key.publicKey) === id

function checkTag(tag: string) {
  if (!/^[a-zA-Z0-9:_-]{1,255}$/.test(tag))
    throw unprocessable('Tags may only contain letters, numbers, colons, dashes, and underscores.')
}

async function createDroplet(call: Call): Promise<Reply> {
  const { state, body } = call
  const [name, userData] = [textOf(body['name']), textOf(body['user_data'])]
  const [tags, keyIds] = [listOf(body['tags']), listOf(body['ssh_keys'])]
  if (!/^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,253}[a-zA-Z0-9])?$/.test(name))
    throw unprocessable('Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)')
  if (Buffer.byteLength(userData) > 65_536) throw unprocessable('User data must be at most 64 KiB.')
  tags.forEach(checkTag)
  if (tags.length > 0) call.requireScope('tag:create')
  if (keyIds.length > 0) call.requireScope('ssh_key:read')
  const region = regions.find(({ slug }) => slug === body['region'])
  if (!region) throw invalidForCreation('an invalid region')
  if (!region.available) throw unprocessable('Region is not available')
  const size = listSizes(state).find(({ slug }) => slug === body['size'])
  if (!size) throw invalidForCreation('an invalid size')
  if (!size.regions.includes(region.slug)) throw unprocessable('Size is not available in this region.')
  const image = images.find(({ slug, id }) => [slug, id, String(id)].some((one) => one === body['image']))
  if (!image) throw invalidForCreation('an invalid image')
  if (image.min_disk_size > size.disk)
    throw unprocessable('The image you selected does not fit on this size.')
  const keys = keyIds.map((id) => {
    const key = ownKeys(call).find((one) => isIdOf(id, one))
    if (!key) throw unprocessable(`${id} are invalid key identifiers for Droplet creation.`)
    return key
  })
  if (isQuotaReached(call))
    throw unprocessable('creating this/these droplet(s) will exceed your droplet limit')
  const kind = { region: region.slug, type: size.slug, image: image.slug }
  const droplet = await call.createServer({ name, ...kind, tags, keys, userData })
  const action = Number(droplet.id) + 1_000_000_000
  const actions = [{ id: action, rel: 'create', href: `${call.url.origin}/v2/actions/${action}` }]
  return { status: 202, body: { droplet: showDroplet(call, droplet), links: { actions } } }
}

function filterDroplets(call: Call): (droplet: FakeServer) => boolean {
  const tag = call.url.searchParams.get('tag_name')?.toLowerCase()
  if (tag === undefined) return () => true
  call.requireScope('tag:read')
  return ({ tags }) => tags.some((other) => other.toLowerCase() === tag)
}

/** A droplet has one event at a time. The event of a creation that got stuck ends after a while. */
const isLocked = ({ status, created }: FakeServer) =>
  status === 'deleting' || (status === 'starting' && Date.now() - created.getTime() < 500)

const statuses = { starting: 'new', running: 'active', off: 'off', deleting: 'active' }

function showDroplet({ state }: Call, droplet: FakeServer) {
  const size = listSizes(state).find(({ slug }) => slug === droplet.type)
  const region = regions.find(({ slug }) => slug === droplet.region)
  const privateIp = `10.114.0.${(Number(droplet.id) % 250) + 2}`
  // The private address comes first; a new droplet may have none at all.
  const networks = [
    { ip_address: privateIp, netmask: '255.255.240.0', type: 'private', gateway: '' },
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
    created_at: formatTime(droplet.created, 'Z'),
    features: ['droplet_agent', 'private_networking'],
    backup_ids: [],
    next_backup_window: null,
    snapshot_ids: [],
    volume_ids: [],
    image: images.find(({ slug }) => slug === droplet.image) ?? { slug: null, name: droplet.image },
    size,
    size_slug: droplet.type,
    networks: { v4: droplet.status === 'starting' ? [] : networks, v6: [] },
    region: region && showRegion(state, region),
    tags: droplet.tags,
  }
}

function getAccount({ state, account }: Call) {
  const hash = createHash('sha256').update(account).digest('hex')
  return ok({
    account: {
      droplet_limit: state.quota,
      floating_ip_limit: 3,
      email: `${account}@example.com`,
      name: account,
      uuid: hash.slice(0, 32),
      email_verified: true,
      status: 'active',
      status_message: '',
      team: { uuid: hash.slice(32), name: 'My Team' },
    },
  })
}

/** `distribution` stands for images of the provider. */
function listImages(call: Call) {
  const isDistribution = call.url.searchParams.get('type') === 'distribution'
  const found = images.filter(({ type }) => !isDistribution || type === 'base')
  return page(call, 'images', found, (image) => image)
}

/** A tag exists with its first droplet; one created beforehand has none yet. */
function createTag({ body }: Call) {
  const name = textOf(body['name'])
  checkTag(name)
  return { status: 201, body: { tag: { name, resources: { count: 0, droplets: { count: 0 } } } } }
}

const scopesOf = (resource: string) => ({
  read: [`${resource}:read`],
  create: [`${resource}:create`],
  delete: [`${resource}:delete`],
})

const routes: CloudApi['routes'] = {
  'GET /v2/account': ['look', getAccount, ['account:read']],
  'GET /v2/regions': [
    'list',
    (call) => page(call, 'regions', regions, (region) => showRegion(call.state, region)),
    ['regions:read'],
  ],
  'GET /v2/sizes': [
    'list',
    (call) => page(call, 'sizes', listSizes(call.state), (size) => size),
    ['sizes:read'],
  ],
  'GET /v2/images': ['list', listImages, ['image:read']],
  'POST /v2/tags': ['look', createTag, ['tag:create']],
  ...keyRoutes({
    path: '/v2/account/keys',
    field: 'public_key',
    scopes: scopesOf('ssh_key'),
    page,
    show: ({ id, publicKey, name }) => ({
      id: Number(id),
      fingerprint: fingerprintOf(publicKey),
      public_key: publicKey,
      name,
    }),
    isIdOf,
    notFound,
    blankName: () => unprocessable("Name can't be blank"),
    invalidKey: () => unprocessable('Key invalid, key should be of the format `type key [comment]`'),
    conflict: (existing, _, fingerprint) =>
      isIdOf(fingerprint, existing) ? unprocessable('SSH Key is already in use on your account') : undefined,
  }),
  ...serverRoutes({
    path: '/v2/droplets',
    name: 'droplet',
    scopes: scopesOf('droplet'),
    page,
    show: showDroplet,
    notFound,
    filter: filterDroplets,
    create: createDroplet,
    checkDeletion(droplet) {
      if (isLocked(droplet)) throw unprocessable('Droplet already has a pending event.')
    },
  }),
}

function makeApi(): CloudApi {
  let lastId = 512_189_000
  return {
    document: 'digital-ocean',
    routes,
    nextId: () => String(++lastId),
    newToken: () => `dop_v1_${randomBytes(32).toString('hex')}`,
    errors: {
      unauthorized: () => refuse(401, 'Unauthorized', 'Unable to authenticate you'),
      forbidden: () => refuse(403, 'forbidden', 'You are not authorized to perform this operation'),
      notFound,
      badJson: () => refuse(400, 'bad_request', 'error parsing request body'),
      rateLimited: () => refuse(429, 'too_many_requests', 'API Rate limit exceeded.'),
      serverError: () => refuse(500, 'server_error', 'Unexpected server-side error'),
      unavailable: () => refuse(503, 'service_unavailable', 'Service is temporarily unavailable.'),
    },
    invalid: ({ field }) =>
      field === 'name' ? unprocessable("Name can't be blank") : invalidForCreation(`an invalid ${field}`),
    hasRateHeaders: true,
  }
}

/** The API of DigitalOcean, version 2, as strict as the real one; from docs.digitalocean.com/reference/api. */
export async function startFakeDigitalOcean(options?: CloudOptions) {
  const cloud = await startCloud(makeApi(), options)
  return { ...cloud, env: { DIGITALOCEAN_API_URL: cloud.url } }
}

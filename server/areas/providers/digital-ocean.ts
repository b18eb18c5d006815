import { z } from 'zod'
import { type ApiRequest, callProviderApi, deleteInApi, findInApi, listAllPages } from './api-client.ts'
import {
  type Account,
  type CloudServer,
  filterByTag,
  findTaggedServerId,
  isSameKey,
  type Provider,
  toServerTag,
} from './provider.ts'
import { digitalOceanApi as api } from './digital-ocean/api.ts'
import {
  listDigitalOceanImages,
  listDigitalOceanRegions,
  listDigitalOceanTypes,
  price,
} from './digital-ocean/catalog.ts'
import { CloudRefused, MissingPermission } from './cloud-errors.ts'

const key = z.object({ id: z.number(), public_key: z.string() })
const isId = (id: string) => /^[1-9]\d*$/.test(id)

export const digitalOcean: Provider = {
  id: 'digitalocean',
  name: api.name,
  tokenUrl: 'https://cloud.digitalocean.com/account/api/tokens/new',
  tokenHelp: api.tokenHelp,

  async check(account) {
    const owner = await findAccountOwner(account)
    await needScopes(account)
    return { account: owner }
  },

  listRegions: listDigitalOceanRegions,
  listTypes: listDigitalOceanTypes,
  listImages: listDigitalOceanImages,

  async listServers(account, serverId) {
    const filters = serverId && { tag_name: toServerTag(serverId) }
    const all = await listAllPages(account, api, '/v2/droplets', 'droplets', droplet, filters)
    return filterByTag(serverId, all.map(presentDroplet))
  },

  async findServer(account, id) {
    if (!isId(id)) return undefined
    const found = await findInApi(account, api, { path: `/v2/droplets/${id}` }, z.object({ droplet }))
    return found && presentDroplet(found.droplet)
  },

  async findKey(account, publicKey) {
    const all = await listAllPages(account, api, '/v2/account/keys', 'ssh_keys', key)
    const known = all.find(({ public_key }) => isSameKey(public_key, publicKey))
    return known && String(known.id)
  },

  async keepKey(account, { name, publicKey }) {
    const known = await digitalOcean.findKey(account, publicKey)
    if (known !== undefined) return known
    const request = {
      method: 'POST' as const,
      path: '/v2/account/keys',
      body: { name, public_key: publicKey },
    }
    return String((await callProviderApi(account, api, request, z.object({ ssh_key: key }))).ssh_key.id)
  },

  async removeKey(account, id) {
    if (isId(id)) await deleteInApi(account, api, `/v2/account/keys/${id}`)
  },

  async createServer(account, wanted) {
    const body = {
      name: wanted.name,
      region: wanted.region,
      size: wanted.type,
      image: wanted.image,
      ssh_keys: [Number(wanted.keyId)],
      user_data: wanted.userData,
      tags: [toServerTag(wanted.serverId)],
      ipv6: true,
    }
    const request = { method: 'POST' as const, path: '/v2/droplets', body, wanted }
    return presentDroplet((await callProviderApi(account, api, request, z.object({ droplet }))).droplet)
  },

  async destroyServer(account, id) {
    if (isId(id)) await deleteInApi(account, api, `/v2/droplets/${id}`)
  },

  urlOf: (id) => `https://cloud.digitalocean.com/droplets/${encodeURIComponent(id)}`,
}

const named = z
  .object({ slug: z.string().nullable().catch(null) })
  .nullable()
  .catch(null)
const address = z.object({ ip_address: z.string(), type: z.string() })
const addresses = z.array(address.nullable().catch(null)).catch([])

/** Tolerates unknown fields except the ID: a skipped server would look deleted. */
const droplet = z.object({
  id: z.number(),
  name: z.string().catch(''),
  status: z.string().catch(''),
  created_at: z.coerce.date().nullable().catch(null),
  networks: z.object({ v4: addresses, v6: addresses }).catch({ v4: [], v6: [] }),
  region: named,
  size_slug: z.string().nullable().catch(null),
  size: price.nullable().catch(null),
  image: z
    .object({ distribution: z.string().catch(''), name: z.string().catch('') })
    .nullable()
    .catch(null),
  tags: z.array(z.string()).catch([]),
})

const statuses: Record<string, CloudServer['status']> = {
  new: 'starting',
  active: 'running',
  off: 'stopped',
  archive: 'stopped',
}

function presentDroplet(one: z.output<typeof droplet>): CloudServer {
  const { v4, v6 } = one.networks
  // Skip private addresses, which may come first.
  const outside = [...v4, ...v6].find((each) => each?.type === 'public')
  return {
    id: String(one.id),
    name: one.name || String(one.id),
    status: statuses[one.status] ?? 'unknown',
    address: outside?.ip_address ?? null,
    region: one.region?.slug ?? null,
    type: one.size_slug,
    image: `${one.image?.distribution ?? ''} ${one.image?.name ?? ''}`.trim() || null,
    price: one.size,
    created_at: one.created_at,
    serverId: findTaggedServerId(one.tags),
  }
}

const few = { per_page: '1' }

/** Harmless requests that reveal whether a token has a scope: names are empty and IDs are 0. */
const shows: Record<string, ApiRequest> = {
  'droplet:read': { path: '/v2/droplets', query: few },
  'droplet:create': { method: 'POST', path: '/v2/droplets', body: {} },
  'droplet:delete': { method: 'DELETE', path: '/v2/droplets/0' },
  'ssh_key:read': { path: '/v2/account/keys', query: few },
  'ssh_key:create': { method: 'POST', path: '/v2/account/keys', body: {} },
  'ssh_key:delete': { method: 'DELETE', path: '/v2/account/keys/0' },
  'tag:read': { path: '/v2/droplets', query: { ...few, tag_name: 'slipway' } },
  'tag:create': { method: 'POST', path: '/v2/tags', body: {} },
  'regions:read': { path: '/v2/regions', query: few },
  'sizes:read': { path: '/v2/sizes', query: few },
  'image:read': { path: '/v2/images', query: few },
}

async function needScopes(account: Account): Promise<void> {
  const lacks = await Promise.all(
    Object.entries(shows).map(async ([scope, request]) => ((await has(account, request)) ? [] : [scope])),
  )
  const missing = lacks.flat()
  if (missing.length > 0)
    throw new MissingPermission(
      409,
      'cloud_no_right',
      `This ${api.name} token lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}. ${api.tokenHelp}`,
    )
}

async function has(account: Account, request: ApiRequest): Promise<boolean> {
  try {
    await findInApi(account, api, request, z.unknown())
    return true
  } catch (error) {
    if (error instanceof MissingPermission) return false
    if (error instanceof CloudRefused) return true
    throw error
  }
}

const owner = z.object({
  account: z.object({
    email: z.string(),
    team: z.object({ name: z.string() }).optional().catch(undefined),
  }),
})

async function findAccountOwner(account: Account): Promise<string | null> {
  try {
    const { email, team } = (await callProviderApi(account, api, { path: '/v2/account' }, owner)).account
    return team ? `${email} (${team.name})` : email
  } catch (error) {
    if (error instanceof MissingPermission) return null
    throw error
  }
}

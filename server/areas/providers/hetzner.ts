import { z } from 'zod'
import {
  callProviderApi,
  deleteInApi,
  findInApi,
  listAllPages,
  undefinedIfUnavailable,
} from './api-client.ts'
import { CloudBusy, CloudRefused } from './cloud-errors.ts'
import { type Account, type CloudServer, filterByTag, isSameKey, type Provider } from './provider.ts'
import { hetznerApi as api } from './hetzner/api.ts'
import {
  fetchPricing,
  listHetznerImages,
  listHetznerRegions,
  listHetznerTypes,
  priceIn,
  prices,
  type Pricing,
} from './hetzner/catalog.ts'

const key = z.object({ id: z.number(), public_key: z.string() })
const isId = (id: string) => /^\d+$/.test(id)

export const hetzner: Provider = {
  id: 'hetzner',
  name: api.name,
  tokenUrl: 'https://console.hetzner.com/projects',
  tokenHelp: api.tokenHelp,

  async check(account) {
    await callProviderApi(account, api, { path: '/v1/servers', query: { per_page: '1' } }, z.object({}))
    await mayWrite(account)
    return { account: null }
  },

  listRegions: listHetznerRegions,
  listTypes: listHetznerTypes,
  listImages: listHetznerImages,

  async listServers(account, serverId) {
    const filters = serverId && { label_selector: `${label}=${serverId}` }
    const all = await listAllPages(account, api, '/v1/servers', 'servers', server, filters)
    const pricing = await undefinedIfUnavailable(account, fetchPricing(account))
    return filterByTag(
      serverId,
      all.map((server) => presentHetznerServer(server, pricing)),
    )
  },

  async findServer(account, id) {
    if (!isId(id)) return undefined
    const found = await findInApi(account, api, { path: `/v1/servers/${id}` }, z.object({ server }))
    return (
      found &&
      presentHetznerServer(found.server, await undefinedIfUnavailable(account, fetchPricing(account)))
    )
  },

  async findKey(account, publicKey) {
    const all = await listAllPages(account, api, '/v1/ssh_keys', 'ssh_keys', key)
    const known = all.find(({ public_key }) => isSameKey(public_key, publicKey))
    return known && String(known.id)
  },

  async keepKey(account, { name, publicKey }) {
    const known = await hetzner.findKey(account, publicKey)
    if (known !== undefined) return known
    const body = { name, public_key: publicKey }
    const made = await callProviderApi(
      account,
      api,
      { method: 'POST', path: '/v1/ssh_keys', body },
      z.object({ ssh_key: key }),
    )
    return String(made.ssh_key.id)
  },

  async removeKey(account, id) {
    if (isId(id)) await deleteInApi(account, api, `/v1/ssh_keys/${id}`)
  },

  async createServer(account, wanted) {
    // Fetch prices first: nothing may fail after the server exists.
    const pricing = await undefinedIfUnavailable(account, fetchPricing(account))
    const body = {
      name: wanted.name,
      location: wanted.region,
      server_type: wanted.type,
      image: wanted.image,
      ssh_keys: [Number(wanted.keyId)],
      user_data: wanted.userData,
      labels: { [label]: wanted.serverId },
      start_after_create: true,
      public_net: { enable_ipv4: true, enable_ipv6: true },
    }
    const request = { method: 'POST' as const, path: '/v1/servers', body, wanted }
    return presentHetznerServer(
      (await callProviderApi(account, api, request, z.object({ server }))).server,
      pricing,
    )
  },

  async destroyServer(account, id) {
    if (isId(id)) await deleteInApi(account, api, `/v1/servers/${id}`)
  },

  /** The URL of a server needs the project number, which the API does not return. */
  urlOf: () => 'https://console.hetzner.com/projects',
}

/** Sends an invalid key: Hetzner checks write permission before it validates. */
async function mayWrite(account: Account) {
  const body = { name: 'slipway', public_key: 'none' }
  try {
    await callProviderApi(account, api, { method: 'POST', path: '/v1/ssh_keys', body }, z.object({}))
  } catch (error) {
    if (!(error instanceof CloudRefused || error instanceof CloudBusy) || error.status === 429) throw error
  }
}

const label = 'slipway'

const address = z.object({ ip: z.string() }).nullable().catch(null)

/** Tolerates unknown fields except the ID: a skipped server would look deleted. */
const server = z.object({
  id: z.number(),
  name: z.string().catch(''),
  status: z.string().catch(''),
  created: z.coerce.date().nullable().catch(null),
  public_net: z.object({ ipv4: address, ipv6: address }).catch({ ipv4: null, ipv6: null }),
  location: z.object({ name: z.string() }).optional().catch(undefined),
  server_type: z.object({ name: z.string(), prices }).nullable().catch(null),
  image: z
    .object({ name: z.string().nullable().catch(null), description: z.string().catch('') })
    .nullable()
    .catch(null),
  labels: z.record(z.string(), z.string()).catch({}),
})

const statuses: Record<string, CloudServer['status']> = {
  running: 'running',
  initializing: 'starting',
  starting: 'starting',
  rebuilding: 'starting',
  migrating: 'starting',
  stopping: 'stopped',
  off: 'stopped',
  deleting: 'deleted',
}

function presentHetznerServer(one: z.output<typeof server>, pricing: Pricing | undefined): CloudServer {
  const { ipv4, ipv6 } = one.public_net
  const region = one.location?.name ?? null
  const own = one.server_type?.prices ?? []
  return {
    id: String(one.id),
    name: one.name || String(one.id),
    status: statuses[one.status] ?? 'unknown',
    address: ipv4?.ip ?? (ipv6 ? hostOf(ipv6.ip) : null),
    region,
    type: one.server_type?.name ?? null,
    image: one.image?.description || one.image?.name || null,
    price: (region && pricing && priceIn(region, own, pricing, ipv4 !== null)) || null,
    created_at: one.created,
    serverId: one.labels[label] ?? null,
  }
}

const hostOf = (network: string) => network.replace(/::\/\d+$/, '::1')

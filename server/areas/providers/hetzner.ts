import { z } from 'zod'
import { callProviderApi, listAllPages, findInApi, deleteInApi } from './api-client.ts'
import { CloudBusy, CloudRefused } from './cloud-errors.ts'
import { regionsAsDatacenters } from './regions-as-datacenters.ts'
import { hetznerApi as api, hetznerPage } from './hetzner/api.ts'
import { listHetznerImages, listHetznerRegions, listHetznerTypes } from './hetzner/catalogue.ts'
import { fetchPricing } from './hetzner/pricing.ts'
import { label, presentHetznerServer, server } from './hetzner/server.ts'
import { isSameKey } from './is-same-key.ts'
import { type Account, filterByTag, type Provider } from './provider.ts'
import { undefinedIfUnavailable } from './hourly-cache.ts'

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
  // Hetzner has removed datacenters from its API.
  listDatacenters: regionsAsDatacenters(listHetznerRegions),
  listTypes: listHetznerTypes,
  listImages: listHetznerImages,

  async listServers(account, madeFor) {
    const query = { ...hetznerPage, ...(madeFor && { label_selector: `${label}=${madeFor}` }) }
    const all = await listAllPages(account, api, { path: '/v1/servers', query }, 'servers', server)
    const pricing = await undefinedIfUnavailable(account, fetchPricing(account))
    return filterByTag(
      madeFor,
      all.map((one) => presentHetznerServer(one, pricing)),
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
    const all = await listAllPages(
      account,
      api,
      { path: '/v1/ssh_keys', query: hetznerPage },
      'ssh_keys',
      key,
    )
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
      labels: { [label]: wanted.madeFor },
      start_after_create: true,
      public_net: { enable_ipv4: true, enable_ipv6: true },
    }
    const asked = { method: 'POST' as const, path: '/v1/servers', body, wanted }
    return presentHetznerServer(
      (await callProviderApi(account, api, asked, z.object({ server }))).server,
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

import { z } from 'zod'
import { callProviderApi, listAllPages, findInApi, deleteInApi } from './api-client.ts'
import { regionsAsDatacenters } from './regions-as-datacenters.ts'
import { digitalOceanApi as api, digitalOceanPage } from './digital-ocean/api.ts'
import {
  listDigitalOceanImages,
  listDigitalOceanRegions,
  listDigitalOceanTypes,
} from './digital-ocean/catalogue.ts'
import { droplet, presentDroplet } from './digital-ocean/droplet.ts'
import { needScopes, findAccountOwner } from './digital-ocean/scopes.ts'
import { isSameKey } from './is-same-key.ts'
import { filterByTag, type Provider } from './provider.ts'
import { toServerTag } from './tag.ts'

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
  listDatacenters: regionsAsDatacenters(listDigitalOceanRegions),
  listTypes: listDigitalOceanTypes,
  listImages: listDigitalOceanImages,

  async listServers(account, madeFor) {
    const query = { ...digitalOceanPage, ...(madeFor && { tag_name: toServerTag(madeFor) }) }
    const all = await listAllPages(account, api, { path: '/v2/droplets', query }, 'droplets', droplet)
    return filterByTag(madeFor, all.map(presentDroplet))
  },

  async findServer(account, id) {
    if (!isId(id)) return undefined
    const found = await findInApi(account, api, { path: `/v2/droplets/${id}` }, z.object({ droplet }))
    return found && presentDroplet(found.droplet)
  },

  async findKey(account, publicKey) {
    const all = await listAllPages(
      account,
      api,
      { path: '/v2/account/keys', query: digitalOceanPage },
      'ssh_keys',
      key,
    )
    const known = all.find(({ public_key }) => isSameKey(public_key, publicKey))
    return known && String(known.id)
  },

  async keepKey(account, { name, publicKey }) {
    const known = await digitalOcean.findKey(account, publicKey)
    if (known !== undefined) return known
    const asked = { method: 'POST' as const, path: '/v2/account/keys', body: { name, public_key: publicKey } }
    return String((await callProviderApi(account, api, asked, z.object({ ssh_key: key }))).ssh_key.id)
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
      tags: [toServerTag(wanted.madeFor)],
      ipv6: true,
    }
    const asked = { method: 'POST' as const, path: '/v2/droplets', body, wanted }
    return presentDroplet((await callProviderApi(account, api, asked, z.object({ droplet }))).droplet)
  },

  async destroyServer(account, id) {
    if (isId(id)) await deleteInApi(account, api, `/v2/droplets/${id}`)
  },

  urlOf: (id) => `https://cloud.digitalocean.com/droplets/${encodeURIComponent(id)}`,
}

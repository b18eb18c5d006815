import { z } from 'zod'
import {
  callProviderApi,
  deleteInApi,
  findInApi,
  listAllPages,
  undefinedIfUnavailable,
} from './api-client.ts'
import { MissingPermission } from './cloud-errors.ts'
import {
  type CloudServer,
  filterByTag,
  findTaggedServerId,
  isSameKey,
  type Provider,
  toServerTag,
} from './provider.ts'
import { vultrApi as api } from './vultr/api.ts'
import { fetchPrices, listVultrImages, listVultrRegions, listVultrTypes } from './vultr/catalog.ts'
import { formatList } from '../../../contract/shared/format-list.ts'

const owner = z.object({
  account: z.object({
    name: z.string().catch(''),
    email: z.string().catch(''),
    acls: z.array(z.string()).optional().catch(undefined),
  }),
})
const needed = ['provisioning', 'subscriptions']

const key = z.object({ id: z.string(), ssh_key: z.string() })
const isId = (id: string) => /^[0-9a-f-]{36}$/i.test(id)

export const vultr: Provider = {
  id: 'vultr',
  name: api.name,
  tokenUrl: 'https://my.vultr.com/settings/#settingsapi',
  tokenHelp: api.tokenHelp,

  async check(account) {
    const { name, email, acls } = (await callProviderApi(account, api, { path: '/v2/account' }, owner))
      .account
    // manage_users includes all permissions.
    const missing = acls?.includes('manage_users')
      ? []
      : needed.filter((acl) => acls?.includes(acl) === false)
    if (missing.length > 0)
      throw new MissingPermission(
        409,
        'cloud_no_right',
        `The user of this ${api.name} key lacks ${missing.length === 1 ? 'the permission' : 'the permissions'} ${formatList(missing)}. ${api.tokenHelp}`,
      )
    return { account: name && email ? `${name} (${email})` : name || email || null }
  },

  listRegions: listVultrRegions,
  listTypes: listVultrTypes,
  listImages: listVultrImages,

  /** Filters locally as well, because the tag filter is not documented. */
  async listServers(account, serverId) {
    const all = await listAllPages(account, api, '/v2/instances', 'instances', instance)
    const priceOf = await undefinedIfUnavailable(account, fetchPrices(account))
    return filterByTag(
      serverId,
      all.map((instance) => presentInstance(instance, priceOf)),
    )
  },

  async findServer(account, id) {
    if (!isId(id)) return undefined
    const found = await findInApi(account, api, { path: `/v2/instances/${id}` }, z.object({ instance }))
    return (
      found && presentInstance(found.instance, await undefinedIfUnavailable(account, fetchPrices(account)))
    )
  },

  async findKey(account, publicKey) {
    const all = await listAllPages(account, api, '/v2/ssh-keys', 'ssh_keys', key)
    return all.find(({ ssh_key }) => isSameKey(ssh_key, publicKey))?.id
  },

  async keepKey(account, { name, publicKey }) {
    const known = await vultr.findKey(account, publicKey)
    if (known !== undefined) return known
    const request = { method: 'POST' as const, path: '/v2/ssh-keys', body: { name, ssh_key: publicKey } }
    return (await callProviderApi(account, api, request, z.object({ ssh_key: key }))).ssh_key.id
  },

  async removeKey(account, id) {
    if (isId(id)) await deleteInApi(account, api, `/v2/ssh-keys/${id}`)
  },

  async createServer(account, wanted) {
    // Fetch prices first: nothing may fail after the server exists.
    const priceOf = await undefinedIfUnavailable(account, fetchPrices(account))
    const body = {
      label: wanted.name,
      hostname: wanted.name,
      region: wanted.region,
      plan: wanted.type,
      os_id: Number(wanted.image),
      sshkey_id: [wanted.keyId],
      user_data: Buffer.from(wanted.userData).toString('base64'),
      tags: [toServerTag(wanted.serverId)],
      enable_ipv6: true,
      activation_email: false,
      backups: 'disabled',
    }
    const request = { method: 'POST' as const, path: '/v2/instances', body, wanted }
    return presentInstance(
      (await callProviderApi(account, api, request, z.object({ instance }))).instance,
      priceOf,
    )
  },

  async destroyServer(account, id) {
    if (isId(id)) await deleteInApi(account, api, `/v2/instances/${id}`)
  },

  urlOf: (id) => `https://my.vultr.com/subs/?id=${encodeURIComponent(id)}`,
}

/** Tolerates unknown fields except the ID: a skipped server would look deleted. */
const instance = z.object({
  id: z.string(),
  label: z.string().catch(''),
  hostname: z.string().catch(''),
  status: z.string().catch(''),
  power_status: z.string().catch(''),
  main_ip: z.string().catch(''),
  v6_main_ip: z.string().catch(''),
  region: z.string().nullable().catch(null),
  plan: z.string().nullable().catch(null),
  os: z.string().nullable().catch(null),
  date_created: z.coerce.date().nullable().catch(null),
  tags: z.array(z.string()).catch([]),
})

type Instance = z.output<typeof instance>
type PriceOf = Awaited<ReturnType<typeof fetchPrices>>

function presentInstance(one: Instance, priceOf: PriceOf | undefined): CloudServer {
  return {
    id: one.id,
    name: one.label || one.hostname || one.id,
    status: statusOf(one),
    // 0.0.0.0 is a placeholder until an address is assigned.
    address: [one.main_ip, one.v6_main_ip].find((address) => address !== '' && address !== '0.0.0.0') ?? null,
    region: one.region,
    type: one.plan,
    image: one.os,
    price: priceOf?.(one.plan, one.region) ?? null,
    created_at: one.date_created,
    serverId: findTaggedServerId(one.tags),
  }
}

/** `server_status` lags by minutes, so it is ignored. */
function statusOf({ status, power_status }: Instance): CloudServer['status'] {
  if (status === 'pending' || status === 'resizing') return 'starting'
  if (status === 'suspended' || power_status === 'stopped') return 'stopped'
  return status === 'active' && power_status === 'running' ? 'running' : 'unknown'
}

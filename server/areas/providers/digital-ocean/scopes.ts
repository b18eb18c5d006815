import { z } from 'zod'
import { callProviderApi, type ApiRequest, findInApi } from '../api-client.ts'
import { CloudRefused, MissingPermission } from '../cloud-errors.ts'
import type { Account } from '../provider.ts'
import { digitalOceanApi as api } from './api.ts'

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

export async function needScopes(account: Account): Promise<void> {
  const lacks = await Promise.all(
    Object.entries(shows).map(async ([scope, asked]) => ((await has(account, asked)) ? [] : [scope])),
  )
  const missing = lacks.flat()
  if (missing.length > 0)
    throw new MissingPermission(
      409,
      'cloud_no_right',
      `This ${api.name} token lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}. ${api.tokenHelp}`,
    )
}

async function has(account: Account, asked: ApiRequest): Promise<boolean> {
  try {
    await findInApi(account, api, asked, z.unknown())
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

export async function findAccountOwner(account: Account): Promise<string | null> {
  try {
    const { email, team } = (await callProviderApi(account, api, { path: '/v2/account' }, owner)).account
    return team ? `${email} (${team.name})` : email
  } catch (error) {
    if (error instanceof MissingPermission) return null
    throw error
  }
}

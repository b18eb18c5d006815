import type { Key } from '../../contract/endpoint.ts'
import type { Id } from '../../contract/shared/ids.ts'
import type { CallOptions } from '../support/clients/client.ts'
import { makeCloudServer, makeCloudToken } from '../support/factories/cloud-factories.ts'
import { unique } from '../support/factories/factories.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

/** Every world has its own account. */
const account = ({ workspace }: World) => workspace

const web = { region: 'fsn1', type: 'cx23', image: 'debian-12' }

/** Calls on clouds that succeed, when the caller has the right to them. */
export const validCloudCalls: Record<Key, Make> = {
  'GET /v1/cloud-tokens': () => ({}),
  'POST /v1/cloud-tokens': (world) => ({
    body: {
      name: 'Ours',
      provider: 'hetzner',
      token: world.hetzner.addToken({ account: account(world) }),
    },
  }),
  'GET /v1/cloud-tokens/{id}': (world) => ofToken(world),
  'PUT /v1/cloud-tokens/{id}': (world) => ofToken(world, { name: 'Theirs' }),
  'POST /v1/cloud-tokens/{id}/check': (world) => ofToken(world),
  'DELETE /v1/cloud-tokens/{id}': (world) => ofToken(world),
  'GET /v1/providers': () => ({}),
  'GET /v1/providers/{p}/regions': (world) => ofCatalog(world),
  'GET /v1/providers/{p}/datacenters': (world) => ofCatalog(world),
  'GET /v1/providers/{p}/server-types': (world) => ofCatalog(world),
  'GET /v1/providers/{p}/images': (world) => ofCatalog(world),
  'POST /v1/providers/{p}/servers': async (world) => ({
    params: { p: 'hetzner' },
    body: { cloud_token_id: await cloudToken(world) },
  }),
  'POST /v1/providers/{p}/import': async (world) => {
    const { id } = world.hetzner.addServer({ ...web, name: unique('web'), account: account(world) })
    return { params: { p: 'hetzner' }, body: { cloud_token_id: await cloudToken(world), servers: [id] } }
  },
  // Failed before anything was created.
  'POST /v1/servers/{id}/provision': async (world) => {
    const id = await makeCloudServer(
      world.slipway.ctx,
      world.workspace,
      await cloudToken(world),
      { step: 'create', status: 'unknown', image: web.image },
      { status: 'failed', host_keys: [], address: null, region: web.region, type: web.type },
    )
    return { params: { id }, body: { type: 'cx33' } }
  },
}

const cloudToken = (world: World): Promise<Id<'cloudToken'>> =>
  makeCloudToken(world.slipway.ctx, world.workspace, world.hetzner.addToken({ account: account(world) }))

async function ofToken(world: World, body?: object): Promise<CallOptions> {
  return { params: { id: await cloudToken(world) }, ...(body && { body }) }
}

async function ofCatalog(world: World): Promise<CallOptions> {
  return { params: { p: 'hetzner' }, query: { cloud_token_id: await cloudToken(world) } }
}

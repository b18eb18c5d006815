import type { Key } from '../../contract/endpoint.ts'
import { createImportToken } from '../../contract/imports.ts'
import type { CallOptions } from '../support/clients/client.ts'
import { makeServer, makeSomeone } from '../support/factories/factories.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

/** Calls that import servers and succeed, when the caller has the right to them. */
export const validImportCalls: Record<Key, Make> = {
  'POST /v1/import/token': async ({ slipway: { ctx }, workspace, host }) => ({
    body: { server_id: await makeServer(ctx, workspace, host, { status: 'pending', host_keys: [] }) },
  }),
  'GET /v1/import/server/{token}': async (world) => ({ params: { token: await importToken(world) } }),
  'POST /v1/import/server': async (world) => ({
    body: {
      token: await importToken(world),
      user: 'root',
      host_keys: [world.host.hostKey],
      addresses: [world.host.address],
    },
  }),
}

/** Created by an authorized user, for every caller. */
async function importToken({ slipway, workspace }: World): Promise<string> {
  const { token } = await makeSomeone(slipway.db, workspace, 'admin')
  return (await slipway.ok(createImportToken, { token, body: {} })).token
}

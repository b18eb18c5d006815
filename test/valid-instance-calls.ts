import type { Key } from '../contract/endpoint.ts'
import type { Sent } from './client.ts'
import { unique } from './factories.ts'
import type { World } from './world.ts'

type Make = (world: World) => Sent | Promise<Sent>

const nothing: Make = () => ({})

export const validInstanceCalls = {
  'GET /v1/instance': nothing,
  'GET /v1/instance/settings': nothing,
  'PUT /v1/instance/settings': () => ({ body: { workspaces_per_user: 1000 } }),
  'GET /v1/instance/audit': nothing,
  'GET /v1/instance/host-names': nothing,
  'DELETE /v1/instance/host-names/{host}': async ({ slipway, workspace }) => {
    const host = `${unique('www')}.example.com`
    await slipway.db.insertInto('host_names').values({ host, workspace_id: workspace }).execute()
    return { params: { host } }
  },
} satisfies Partial<Record<Key, Make>>

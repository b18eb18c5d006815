import type { Key } from '../contract/endpoint.ts'
import type { Sent } from './client.ts'
import type { World } from './world.ts'

type Make = (world: World) => Sent | Promise<Sent>

const nothing: Make = () => ({})

export const validInstanceCalls = {
  'GET /v1/instance': nothing,
  'GET /v1/instance/settings': nothing,
  'PUT /v1/instance/settings': () => ({ body: { workspaces_per_user: 1000 } }),
  'GET /v1/instance/audit': nothing,
} satisfies Partial<Record<Key, Make>>

import type { Key } from '../../contract/endpoint.ts'
import { makeAlert, makeIncident } from '../support/factories/alert-factories.ts'
import type { CallOptions } from '../support/clients/client.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

const ofAlert = async ({ slipway: { db }, workspace, name }: World, body?: object): Promise<CallOptions> => ({
  params: { id: await makeAlert(db, workspace, { name }) },
  ...(body && { body }),
})

const ofIncident = async (world: World, body?: object): Promise<CallOptions> => {
  const { slipway, workspace, server, name } = world
  const alert = await makeAlert(slipway.db, workspace, { name })
  const about = { subject_id: server, subject_name: name, server_id: server }
  return {
    params: { id: await makeIncident(slipway.db, workspace, alert, about) },
    ...(body && { body }),
  }
}

/** Calls on alerts that succeed, when the caller has the right to them. */
export const validAlertCalls: Record<Key, Make> = {
  'GET /v1/alerts': () => ({}),
  'POST /v1/alerts': () => ({ body: { kind: 'disk', name: 'Disk of all servers' } }),
  'GET /v1/alerts/{id}': (world) => ofAlert(world),
  'PUT /v1/alerts/{id}': (world) => ofAlert(world, { name: 'Busy', threshold: 95 }),
  'DELETE /v1/alerts/{id}': (world) => ofAlert(world),
  'POST /v1/alerts/{id}/mute': (world) => ofAlert(world, { seconds: 3600 }),
  'POST /v1/alerts/preview': () => ({ body: { kind: 'cpu' } }),
  'GET /v1/incidents': async (world) => {
    await ofIncident(world)
    return { query: { server_id: world.server } }
  },
  'GET /v1/incidents/{id}': (world) => ofIncident(world),
  'POST /v1/incidents/{id}/mute': (world) => ofIncident(world, { seconds: 3600 }),
}

import type { Key } from '../../contract/endpoint.ts'
import { makeMessage } from '../worlds/world-alerts.ts'
import { makeChannel } from '../support/factories/channels.ts'
import type { CallOptions } from '../support/clients/client.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

/** Calls on channels that succeed, when the caller has the right to them. */
export const validNotificationCalls: Record<Key, Make> = {
  'GET /v1/notifications/types': () => ({}),
  'GET /v1/notifications': () => ({}),
  'POST /v1/notifications': () => ({
    body: {
      name: 'Ops',
      type: 'webhook',
      settings: { url: 'https://example.com/hook', secret: 'a secret that is long enough' },
    },
  }),
  'GET /v1/notifications/{id}': (world) => ofChannel(world),
  'PUT /v1/notifications/{id}': (world) => ofChannel(world, { name: 'Crew' }),
  'DELETE /v1/notifications/{id}': (world) => ofChannel(world),
  'POST /v1/notifications/{id}/test': (world) => ofChannel(world),
  'POST /v1/notifications/{id}/resume': (world) => ofChannel(world),
  'POST /v1/notifications/{id}/send-firing': (world) => ofChannel(world),
  'GET /v1/notifications/{id}/history': (world) => ofChannel(world),
  'POST /v1/notifications/{id}/history/{mid}/send': (world) => ofMessage(world),
}

/** The receiver does not exist, so that a test fails immediately. */
async function ofChannel({ slipway: { ctx }, workspace }: World, body?: object) {
  const id = await makeChannel(ctx, workspace, 'https://10.0.0.1/hook')
  return { params: { id }, ...(body && { body }) }
}

/** A failed message. */
async function ofMessage(world: World): Promise<CallOptions> {
  const { params } = await ofChannel(world)
  const given = { title: 'A server was added', status: 'failed' } as const
  const mid = await makeMessage(world.slipway.ctx, world.workspace, params.id, given)
  return { params: { ...params, mid } }
}

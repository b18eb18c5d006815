import type { Key } from '../../contract/endpoint.ts'
import { newId } from '../../server/platform/ids.ts'
import { newToken } from '../../server/platform/tokens.ts'
import { toPathSecret } from '../../server/areas/webhooks/hook-credentials.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import type { CallOptions } from '../support/clients/client.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

/** Calls on what comes in from outside that succeed, when the caller has the right to them. */
export const validWebhookCalls: Record<Key, Make> = {
  'POST /v1/events/{hook}': async (world) => {
    const { hook, secret } = await makeHook(world)
    return { params: { hook }, headers: { secret } }
  },
  'POST /v1/events/{hook}/{secret}': async (world) => {
    const { hook, secret } = await makeHook(world)
    return { params: { hook, secret: toPathSecret(secret) } }
  },
  'GET /v1/deliveries': ({ application }) => ({ query: { application_id: application } }),
  'GET /v1/deliveries/{id}': (world) => ofDelivery(world),
  'POST /v1/deliveries/{id}/redeliver': (world) => ofDelivery(world),
  'GET /v1/applications/{id}/hook': ({ application }) => ({ params: { id: application } }),
  'POST /v1/applications/{id}/hook/rotate': ({ application }) => ({ params: { id: application } }),
}

async function makeHook({ slipway, workspace, server }: World) {
  const application_id = await makeApplication(slipway.db, workspace, server)
  const [name, secret] = [newToken('hook'), newToken('whs')]
  const secret_sealed = slipway.ctx.secrets.seal(`hooks.secret_sealed:${application_id}`, secret)
  await slipway.db
    .insertInto('hooks')
    .values({ application_id, workspace_id: workspace, name, secret_sealed })
    .execute()
  return { hook: name, secret }
}

async function ofDelivery({ slipway, workspace, application }: World): Promise<CallOptions> {
  const id = newId('delivery')
  await slipway.db
    .insertInto('deliveries')
    .values({
      id,
      workspace_id: workspace,
      hook: 'deploy',
      delivery: id,
      event: 'deploy',
      queue: `application:${application}`,
      application_id: application,
      payload_sealed: slipway.ctx.secrets.seal(`deliveries.payload_sealed:${id}`, ''),
      status: 'ignored',
    })
    .execute()
  return { params: { id } }
}

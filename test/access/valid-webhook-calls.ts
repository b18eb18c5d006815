import type { Key } from '../../contract/endpoint.ts'
import { newId } from '../../server/platform/ids.ts'
import { newToken } from '../../server/platform/tokens.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import type { Sent } from '../support/clients/client.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => Sent | Promise<Sent>

/** Calls on what comes in from outside that succeed, when the caller has the right to them. */
export const validWebhookCalls: Record<Key, Make> = {
  'POST /v1/events/{hook}': async ({ slipway, workspace, server }) => {
    const application_id = await makeApplication(slipway.db, workspace, server)
    const [name, secret] = [newToken('hook'), newToken('whs')]
    const secret_sealed = slipway.ctx.secrets.seal(`hooks.secret_sealed:${application_id}`, secret)
    await slipway.db
      .insertInto('hooks')
      .values({ application_id, workspace_id: workspace, name, secret_sealed })
      .execute()
    return { params: { hook: name }, headers: { secret } }
  },
  'GET /v1/deliveries': ({ application }) => ({ query: { application_id: application } }),
  'GET /v1/deliveries/{id}': (world) => ofDelivery(world),
  'POST /v1/deliveries/{id}/redeliver': (world) => ofDelivery(world),
  'GET /v1/applications/{id}/hook': ({ application }) => ({ params: { id: application } }),
  'POST /v1/applications/{id}/hook/rotate': ({ application }) => ({ params: { id: application } }),
}

async function ofDelivery({ slipway, workspace, application }: World): Promise<Sent> {
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

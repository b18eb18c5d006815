import { subscribe } from '../../contract/billing.ts'
import type { Key } from '../../contract/endpoint.ts'
import { runSync } from '../support/stages/billing-jobs.ts'
import type { CallOptions } from '../support/clients/client.ts'
import { makeSomeone } from '../support/factories/factories.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

/** Calls on the plan of a workspace that succeed, when the caller has the right to them. */
export const validBillingCalls: Record<Key, Make> = {
  'GET /v1/billing/plans': () => ({}),
  'GET /v1/billing/subscription': () => ({}),
  'GET /v1/billing/change': async (world) => ({ query: { plan_id: await anotherPlan(world) } }),
  'POST /v1/billing/subscribe': async (world) => ({ body: { plan_id: await anotherPlan(world) } }),
  'POST /v1/billing/confirm': async (world) => ({ body: { session_id: (await paid(world)).checkout_id } }),
  'POST /v1/billing/cancel-subscription': (world) => once(world),
  'POST /v1/billing/resume-subscription': (world) => once(world),
  'POST /v1/billing/portal': (world) => once(world),
}

async function once(world: World): Promise<CallOptions> {
  await paid(world)
  return {}
}

const anotherPlan = async (world: World) => ((await paid(world)).plan_id === 'pro' ? 'team' : 'pro')

/** Another owner has paid for the plan. */
async function paid(world: World) {
  const found = await rowOf(world)
  if (found?.stripe_status) return found
  const { slipway, stripe, workspace } = world
  const { token } = await makeSomeone(slipway.db, workspace, 'owner')
  const { url } = await slipway.ok(subscribe, { token, body: { plan_id: 'pro' } })
  await stripe.pay(url ?? '')
  await runSync(slipway.ctx, workspace)
  const row = await rowOf(world)
  if (!row?.stripe_status) throw new Error('It is not paid for.')
  return row
}

const rowOf = ({ slipway, workspace }: World) =>
  slipway.db.selectFrom('subscriptions').selectAll().where('workspace_id', '=', workspace).executeTakeFirst()

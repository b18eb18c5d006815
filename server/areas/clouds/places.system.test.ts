import { afterAll, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/servers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { type Buyer, makeBuyer, order, until } from '../../../test/support/stages/creations.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { lanes } from '../../platform/jobs.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const hetzner = await startFakeHetzner()
hetzner.state.quota = 100
const slipway = await startSlipway({ ...hetzner.env, CLOUD_TIMEOUT: '30' })
slipway.work([], { ...lanes, creations: 18, clouds: 1 })
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})
const patiently = { interval: 100 }
const buy = () => makeBuyer(slipway, hetzner)

/** Orders more servers than there are worker slots, in one workspace. */
async function orderMany(buyer: Buyer) {
  const all: Id<'server'>[] = []
  for (let nth = 0; nth < 19; nth++)
    all.push(await order(slipway, buyer, { name: `${buyer.workspace}-${nth}` }))
  return all
}

longTest('does not let creations with a rejected token occupy slots of others', async () => {
  const [many, one] = [await buy(), await buy()]
  // The first order caches the catalog.
  await order(slipway, many, { name: 'first' })
  hetzner.revoke(many.secret)
  for (const id of await orderMany(many))
    await until(slipway, many, id, ({ reason }) => reason?.includes('token') === true)
  const id = await order(slipway, one, { name: 'one' })
  await until(slipway, one, id, ({ cloud }) => cloud?.step === 'call')
})

test('limits the slots of one workspace, and never delays destructions', async () => {
  const [many, one] = [await buy(), await buy()]
  hetzner.neverBoots()
  const running = () =>
    slipway.db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'provision-server')
      .where('group_name', 'like', `%${many.workspace}`)
      .where('state', '=', 'running')
      .execute()
  await orderMany(many)
  await vi.waitFor(async () => expect(await running()).toHaveLength(16), patiently)
  const mine = { token: one.admin.token, params: { id: await order(slipway, one, { name: 'mine' }) } }
  await until(slipway, one, mine.params.id, ({ cloud }) => cloud?.step === 'boot')
  // With the creation of `mine`, all slots are in use.
  await slipway.ok(contract.deleteServer, { ...mine, query: { cloud: 'destroy' } })
  await vi.waitFor(() => slipway.refused(contract.getServer, mine, 404), patiently)
})

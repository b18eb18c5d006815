import { afterAll, beforeAll, expect, test } from 'vitest'
import { createImportToken, importServer } from '../../../contract/imports.ts'
import { importAccountServers } from '../../../contract/providers.ts'
import { createServer } from '../../../contract/servers.ts'
import { kind } from '../../../test/support/factories/at-hetzner.ts'
import { endTrial, makeSubscription, paidEnv } from '../../../test/support/factories/billing-factories.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { type Buyer, makeBuyer, ordered } from '../../../test/support/stages/creations.ts'
import { makeServer, nowhere } from '../../../test/support/factories/factories.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'

const hetzner = await startFakeHetzner()
const host = await takeHost()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway({ OUTBOUND_NETWORKS: '127.0.0.0/8', ...paidEnv(), ...hetzner.env })
})
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})

/** Uses a plan with one server. */
async function makeSmallBuyer(): Promise<Buyer> {
  const buyer = await makeBuyer(slipway, hetzner)
  await makeSubscription(slipway.db, buyer.workspace, { plan: 'hobby' })
  return buyer
}

const serversOf = ({ workspace }: Buyer) =>
  slipway.db.selectFrom('servers').select('name').where('workspace_id', '=', workspace).execute()
const occupy = ({ workspace }: Buyer) => makeServer(slipway.ctx, workspace, nowhere(), { name: 'first' })
const report = (token: string) => ({
  address: '127.0.0.1',
  body: { token, user: 'root', host_keys: [host.hostKey], addresses: [host.address] },
})

test('creates no server beyond the limit of the plan', async () => {
  const buyer = await makeSmallBuyer()
  await occupy(buyer)
  const cloud = { cloud_token_id: buyer.cloudToken, ...ordered }
  const sent = { token: buyer.admin.token, body: { name: 'web', cloud } }
  const got = await slipway.refused(createServer, sent, 402, 'plan_limit')
  expect(got.text).toContain('The plan Hobby allows 1 server, and this workspace has 1.')
  expect(await serversOf(buyer)).toEqual([{ name: 'first' }])
  expect(await slipway.db.selectFrom('cloud_servers').selectAll().execute()).toEqual([])
})

test('imports all selected servers or none within the limit', async () => {
  const buyer = await makeSmallBuyer()
  const [one, two] = ['one', 'two'].map((name) => hetzner.addServer({ name, ...kind }))
  const pick = (servers: (string | undefined)[]) => ({
    token: buyer.admin.token,
    params: { p: 'hetzner' },
    body: { cloud_token_id: buyer.cloudToken, servers },
  })
  await slipway.refused(importAccountServers, pick([one?.id, two?.id]), 402, 'plan_limit')
  expect(await serversOf(buyer)).toEqual([])
  await slipway.ok(importAccountServers, pick([two?.id]))
  expect(await serversOf(buyer)).toEqual([{ name: 'two' }])
})

test('creates no import command beyond the limit, except for an existing server', async () => {
  const buyer = await makeSmallBuyer()
  const { token } = buyer.admin
  const server_id = await makeServer(slipway.ctx, buyer.workspace, nowhere(), {
    status: 'pending',
    host_keys: [],
  })
  await slipway.refused(createImportToken, { token, body: {} }, 402, 'plan_limit')
  await slipway.ok(createImportToken, { token, body: { server_id } })
})

test('refuses a report beyond the limit, and accepts it later', async () => {
  const buyer = await makeSmallBuyer()
  const line = await slipway.ok(createImportToken, { token: buyer.admin.token, body: {} })
  const first = await occupy(buyer)
  const got = await slipway.refused(importServer, report(line.token), 402, 'plan_limit')
  expect(got.text).toContain('Choose a larger plan, or delete a server.')
  await slipway.db.deleteFrom('servers').where('id', '=', first).execute()
  await slipway.ok(importServer, report(line.token))
  expect(await serversOf(buyer)).toHaveLength(1)
})

test('an import command from before the plan ended adds nothing', async () => {
  const buyer = await makeBuyer(slipway, hetzner)
  const line = await slipway.ok(createImportToken, { token: buyer.admin.token, body: {} })
  await endTrial(slipway.db, buyer.workspace)
  const got = await slipway.refused(importServer, report(line.token), 402, 'no_plan')
  expect(got.text).toContain('The trial of this workspace has ended. Ask a workspace owner to choose')
  expect(await serversOf(buyer)).toEqual([])
})

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import * as imports from '../../../contract/imports.ts'
import * as contract from '../../../contract/servers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { type Buyer, makeBuyer, order, shown, until } from '../../../test/support/stages/creations.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { proxyImage } from '../../../test/support/rig/images.ts'
import { machineAddress } from '../../../test/support/rig/take.ts'
import { freePort } from '../../../test/support/programs/slipway-process.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const hetzner = await startFakeHetzner({ machines: true })
let slipway: TestSlipway
let buyer: Buyer
beforeAll(async () => {
  const port = Number(await freePort())
  slipway = await startSlipway({
    ...hetzner.env,
    CLOUD_TIMEOUT: '60',
    PROXY_IMAGE: (await proxyImage()).name,
    PUBLIC_URL: `http://${machineAddress()}:${port}`,
  })
  await slipway.listen({ host: machineAddress(), port })
  slipway.work()
  buyer = await makeBuyer(slipway, hetzner)
})
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})

const untilSo = (id: Id<'server'>, isSo: Parameters<typeof until>[3]) => until(slipway, buyer, id, isSo)

const theOne = () => {
  const [server] = hetzner.servers
  if (!server?.machine) throw new Error('There is no machine.')
  return { ...server, machine: server.machine }
}

async function destroy(id: Id<'server'>) {
  const sent = { token: buyer.admin.token, params: { id }, query: { cloud: 'destroy' } }
  await slipway.ok(contract.deleteServer, sent)
  await vi.waitFor(() => expect(hetzner.servers).toEqual([]), { interval: 100 })
}

/** Creates a server whose time limit has expired. */
async function makeUncalled(name: string, userData: 'ignore' | 'fail') {
  hetzner.state.userData = userData
  const id = await order(slipway, buyer, { name })
  await untilSo(id, ({ cloud }) => cloud?.step === 'call')
  // Shortens the time limit.
  const { config } = slipway.ctx
  slipway.ctx.config = { ...config, CLOUD_TIMEOUT: 0.5 }
  const failed = await untilSo(id, ({ status }) => status === 'failed')
  slipway.ctx.config = config
  hetzner.state.userData = 'run'
  return { id, failed }
}

const linesOf = (id: Id<'server'>) =>
  slipway.db.selectFrom('import_tokens').select('server_id').where('server_id', '=', id).execute()

test('creates, connects and sets up a server without user interaction', async () => {
  const id = await order(slipway, buyer, { name: 'web-1' })
  const ready = await untilSo(id, ({ status }) => status === 'ready' || status === 'failed')
  expect(ready).toMatchObject({ status: 'ready', reason: null, address: theOne().address })
  expect(ready.host_key).not.toBeNull()
  expect(ready.cloud).toMatchObject({ step: null, id: theOne().id, status: 'running', drift: [] })
  expect(ready.cloud?.address).toBe(theOne().address)
  expect(await eventsOf(slipway.db, buyer.workspace)).toEqual([
    'server.ordered',
    'server.imported',
    'server.setup_started',
    'server.setup_completed',
  ])
  await vi.waitFor(() => expect(hetzner.keys).toEqual([]))
  expect(await linesOf(id)).toEqual([])
  await destroy(id)
})

longTest('admits a server that reports late, and nobody else with its token', async () => {
  const { id, failed } = await makeUncalled('web-2', 'ignore')
  expect(failed.reason).toContain(
    `The server is running at ${theOne().address}, but did not connect to Slipway`,
  )
  // The user has left the workspace while the server is created.
  await slipway.db
    .updateTable('members')
    .set({ role: 'viewer' })
    .where('id', '=', buyer.admin.member)
    .execute()
  const [, token = ''] = /\/(imp_[\w-]+)/.exec(theOne().userData) ?? []
  const stolen = await slipway.call(imports.importServer.key, {
    body: { token, user: 'root', host_keys: [newKeyPair('thief').publicKey], addresses: ['203.0.113.66'] },
  })
  expect(stolen).toMatchObject({ status: 409, body: { code: 'not_that_server' } })
  expect(await shown(slipway, buyer, id)).toMatchObject({ status: 'failed', host_key: null })
  await theOne().machine.runUserData(theOne().userData)
  await slipway.db
    .updateTable('members')
    .set({ role: 'admin' })
    .where('id', '=', buyer.admin.member)
    .execute()
  const called = await shown(slipway, buyer, id)
  expect(['setting_up', 'ready']).toContain(called.status)
  expect(called.cloud?.step).toBeNull()
  await vi.waitFor(() => expect(hetzner.keys).toEqual([]))
  await destroy(id)
})

test('allows a manual connection when the boot script fails', async () => {
  const { id } = await makeUncalled('web-3', 'fail')
  const mine = { token: buyer.admin.token, params: { id } }
  const { server: offered } = await slipway.ok(contract.connectServer, mine)
  const { fingerprint = '' } = offered.offered_host_key ?? {}
  const { server } = await slipway.ok(contract.trustHostKey, { ...mine, body: { fingerprint } })
  expect(server).toMatchObject({ status: 'setting_up', reason: null, cloud: { step: null } })
  await vi.waitFor(() => expect(hetzner.keys).toEqual([]))
  expect(await linesOf(id)).toEqual([])
})

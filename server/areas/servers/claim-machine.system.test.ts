import { afterAll, expect, test } from 'vitest'
import { deleteServer } from '../../../contract/servers.ts'
import * as contract from '../../../contract/setups.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  logOf,
  makeSetting,
  type Setting,
  start,
  takeProvidedHost,
  untilOver,
} from '../../../test/support/stages/setups.ts'

const host = await takeProvidedHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
slipway.work()

const file = '/var/lib/slipway/proxy/machine'

/** Unlike `start`, leaves the machine to the server that has it. */
async function setUp(setting: Setting) {
  const { token } = setting.admin
  await slipway.ok(contract.startSetup, { token, params: { id: setting.server } })
  return untilOver(setting)
}

test('refuses a machine of another workspace before changing it, until it is removed there', async () => {
  const first = await makeSetting(slipway, host)
  await start(first)
  const { server: owner } = await untilOver(first)
  expect(owner.machine).toBe(await host.exec('cat', file))
  const second = await makeSetting(slipway, host, { machine: null })
  const { setup, server } = await setUp(second)
  const error =
    'This machine is already connected to another workspace of this instance. Delete its server there first.'
  expect(setup).toMatchObject({ status: 'failed', step: 'connect', error })
  expect(server).toMatchObject({ status: 'failed', reason: error, machine: null })
  expect(await logOf(second)).not.toContain('==> docker:')
  const { token } = first.admin
  await slipway.ok(deleteServer, { token, params: { id: first.server } })
  // Deleting the server removed the key of Slipway from it.
  await host.authorize(host.keys.publicKey)
  expect((await setUp(second)).setup).toMatchObject({ status: 'completed', error: null })
})

test('gives a cloned disk with new host keys an ID of its own', async () => {
  const copied = (await host.exec('cat', file)).trim()
  // The server that owns the ID has other host keys, so it is another machine.
  await slipway.db
    .updateTable('servers')
    .set({ host_keys: ['ecdsa-sha2-nistp256 AAAA'] })
    .where('machine', '=', copied)
    .execute()
  const { setup, server } = await setUp(await makeSetting(slipway, host, { machine: null }))
  expect(setup).toMatchObject({ status: 'completed', error: null })
  expect(server.machine).toMatch(/^[0-9a-f]{64}$/)
  expect(server.machine).not.toBe(copied)
  expect(await host.exec('cat', file)).toBe(server.machine)
})

import { afterAll, expect, test } from 'vitest'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeWorkspace, nowhere } from '../../../test/support/factories/factories.ts'
import { isCopy, machineTakenMessage } from './claim-machine.ts'

const slipway = await startSlipway()
const { ctx, db } = slipway
afterAll(() => slipway.close())

test('names the server that has the machine only within its workspace', () => {
  const owner = { workspace_id: 'wsp_1', name: 'web-1' } as const
  expect(machineTakenMessage({ workspace_id: 'wsp_1' }, owner)).toBe(
    'This machine is already connected as web-1. Delete one of the two servers.',
  )
  expect(machineTakenMessage({ workspace_id: 'wsp_2' }, owner)).toBe(
    'This machine is already connected to another workspace of this instance. Delete its server there first.',
  )
})

test('tells a cloned disk by its new host key', () => {
  const ssh = { kind: 'ssh' as const, host_keys: ['ssh-ed25519 one'] }
  expect(isCopy(ssh, ssh, 'ssh-ed25519 one')).toBe(false)
  expect(isCopy(ssh, ssh, 'ssh-ed25519 two')).toBe(true)
  // The machine that Slipway runs on has no host key to compare.
  expect(isCopy(ssh, { kind: 'local', host_keys: [] }, 'ssh-ed25519 one')).toBe(false)
})

test('two servers cannot have one machine, also when setups run at once', async () => {
  const machine = 'a'.repeat(64)
  await makeServer(ctx, await makeWorkspace(db), nowhere(), { machine })
  const again = makeServer(ctx, await makeWorkspace(db), nowhere(), { machine })
  await expect(again).rejects.toThrow('unique')
})

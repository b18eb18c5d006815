import { afterAll, expect, test, vi } from 'vitest'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { makeSetting } from '../../../../test/support/stages/setups.ts'
import { takeHost } from '../../../../test/support/stages/take-host.ts'
import { newId } from '../../../platform/ids.ts'
import { DockerUnavailable } from '../../../remote/errors.ts'
import { newKeyPair } from '../../../remote/ssh/key-pair.ts'
import { getServerHost } from '../server-host.ts'
import { readCurrentServer } from './setup-run.ts'
import { insertSetup } from './store.ts'
import { verifySetup } from './verify-setup.ts'

const rig = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())

/** A setup in its last step, on a server with other connections. */
async function arrive(user: string, keys = rig.keys) {
  const { workspace, server } = await makeSetting(slipway, { ...rig, user, keys }, { status: 'setting_up' })
  const row = { id: newId('setup'), workspace_id: workspace, server_id: server, actor_name: 'Ada' }
  const setup = await insertSetup(slipway.db, { ...row, status: 'running' })
  const { signal } = new AbortController()
  const run = { id: newId('job'), attempt: 1, fence: 1, signal, assertLease: async () => {} }
  const attempt = { ctx: slipway.ctx, run, setup }
  const host = getServerHost(slipway.ctx, await readCurrentServer(attempt))
  await host.connect()
  const onLost = vi.fn<(reason: Error) => void>()
  host.onLost(onLost)
  return { attempt, onLost }
}

async function newUser(name: string) {
  await rig.addUser(name, { sudo: 'nopasswd' })
  const keys = newKeyPair('slipway-test')
  await rig.authorize(keys.publicKey, name)
  return keys
}

test('reconnects a user who has just joined the docker group', async () => {
  const { attempt, onLost } = await arrive('sue', await newUser('sue'))
  await rig.exec('usermod', '-aG', 'docker', 'sue')
  // Without a proxy, this error shows that Docker responded.
  await expect(verifySetup(attempt)).rejects.toThrow(/No such container: slipway-proxy/)
  expect(onLost).toHaveBeenCalledTimes(1)
})

test('reports a user without access to Docker and keeps the connection', async () => {
  const { attempt, onLost } = await arrive('bob', await newUser('bob'))
  await expect(verifySetup(attempt)).rejects.toThrow(/The SSH user cannot use Docker/)
  expect(onLost).not.toHaveBeenCalled()
})

test('keeps the connection when Docker does not respond', async () => {
  const { attempt, onLost } = await arrive('root')
  await rig.stopDockerd()
  await expect(verifySetup(attempt)).rejects.toThrow(DockerUnavailable)
  expect(onLost).not.toHaveBeenCalled()
})

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as contract from '../../../contract/servers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { keyFingerprint } from '../../remote/ssh/key-pair.ts'
import { provenAddress } from './server-host.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const rig = await takeHost()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

const shown = keyFingerprint(rig.hostKey)

/** Adds a server of the rig by its address. */
async function addServer(given: object = {}) {
  const { workspace, admin } = await makeTeam(slipway.db)
  const { token } = admin
  const body = { name: 'web-1', address: rig.address, ...given }
  const { server } = await slipway.ok(contract.createServer, { token, body })
  return { workspace, sent: { token, params: { id: server.id } } }
}

type AddedServer = Awaited<ReturnType<typeof addServer>>['sent']

const read = async (sent: AddedServer) => (await slipway.ok(contract.getServer, sent)).server
const confirming = (sent: AddedServer, fingerprint = shown) => ({ ...sent, body: { fingerprint } })

/** Runs the command of the console on the server. */
async function authorise(sent: AddedServer, user = 'root') {
  const { key } = await slipway.ok(contract.getServerKey, sent)
  await rig.exec('su', '-', user, '-c', key.command)
  return key
}

describe('a server that is added', () => {
  test('shows its host key, is confirmed, logged in to, and set up', async () => {
    const { sent, workspace } = await addServer()
    await authorise(sent)
    const { server: offering } = await slipway.ok(contract.connectServer, sent)
    expect(offering).toMatchObject({
      status: 'pending',
      host_key: null,
      offered_host_key: { type: 'ssh-ed25519', fingerprint: shown },
    })
    const { server } = await slipway.ok(contract.trustHostKey, confirming(sent))
    expect(server).toMatchObject({
      status: 'setting_up',
      reason: null,
      host_key: { type: 'ssh-ed25519', fingerprint: shown },
      offered_host_key: null,
    })
    expect(await eventsOf(slipway.db, workspace)).toEqual([
      'server.created',
      'server.host_key_trusted',
      'server.setup_started',
    ])
  })

  test('has a proven address only after a login at that address', async () => {
    const { sent } = await addServer()
    const proven = async () => {
      const row = slipway.db.selectFrom('servers').selectAll().where('id', '=', sent.params.id)
      return provenAddress(await row.executeTakeFirstOrThrow())
    }
    await authorise(sent)
    await slipway.ok(contract.connectServer, sent)
    expect(await proven()).toBeUndefined()
    await slipway.ok(contract.trustHostKey, confirming(sent))
    expect(await proven()).toBe(rig.address)
    await slipway.db
      .updateTable('servers')
      .set({ status: 'ready' })
      .where('id', '=', sent.params.id)
      .execute()
    await slipway.ok(contract.updateServer, { ...sent, body: { port: 2 } })
    expect(await proven()).toBeUndefined()
  })

  test('works with a user other than root', async () => {
    await rig.addUser('grace', { sudo: 'nopasswd' })
    const { sent } = await addServer({ user: 'grace' })
    await authorise(sent, 'grace')
    const { server } = await slipway.ok(contract.trustHostKey, confirming(sent))
    expect(server).toMatchObject({ status: 'setting_up', user: 'grace' })
  })

  test('that refuses the key names the user, and continues after the key is added', async () => {
    const { sent } = await addServer()
    const got = await slipway.refused(contract.trustHostKey, confirming(sent), 502, 'server_refused')
    expect(got.text).toMatch(/for the user root. Add the key/)
    expect(await read(sent)).toMatchObject({
      status: 'pending',
      reason: expect.stringMatching('rejected Slipway’s key'),
      host_key: { fingerprint: shown },
    })
    await authorise(sent)
    const { server } = await slipway.ok(contract.connectServer, sent)
    expect(server).toMatchObject({ status: 'setting_up', reason: null })
  })

  test('with an unknown user fails like a wrong key', async () => {
    const { sent } = await addServer({ user: 'nobody-there' })
    await slipway.refused(contract.trustHostKey, confirming(sent), 502, 'server_refused')
  })

  test('is not confirmed by the fingerprint of another key', async () => {
    const { sent } = await addServer()
    const other = 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    const got = await slipway.refused(contract.trustHostKey, confirming(sent, other), 409, 'host_key_differs')
    expect(got.text).toContain(shown)
    expect(await read(sent)).toMatchObject({ host_key: null, offered_host_key: { fingerprint: shown } })
  })

  test('is confirmed by the key that was shown, whatever others it has', async () => {
    const path = '/etc/ssh/ssh_host_ecdsa_key'
    await rig.exec('sh', '-c', `[ -e "$1" ] || ssh-keygen -q -t ecdsa -N '' -f "$1"`, 'sh', path)
    await rig.sshConfig(`HostKey /etc/ssh/ssh_host_ed25519_key\nHostKey ${path}`)
    const [type, base64] = (await rig.exec('cat', `${path}.pub`)).split(' ')
    const offered = `${type} ${base64}`
    const { sent } = await addServer()
    await authorise(sent)
    const { server: shownFirst } = await slipway.ok(contract.connectServer, sent)
    expect(shownFirst.offered_host_key).toMatchObject({ fingerprint: shown })
    const row = slipway.db.updateTable('servers').where('id', '=', sent.params.id)
    await row.set({ offered_host_key: offered }).execute()
    const fingerprint = keyFingerprint(offered)
    await slipway.refused(contract.trustHostKey, confirming(sent), 409, 'host_key_differs')
    const { server } = await slipway.ok(contract.trustHostKey, confirming(sent, fingerprint))
    expect(server).toMatchObject({ status: 'setting_up', host_key: { type, fingerprint } })
  })

  test('whose offered key is gone is asked for what it shows now', async () => {
    const { sent } = await addServer()
    const row = slipway.db.updateTable('servers').where('id', '=', sent.params.id)
    await row.set({ offered_host_key: 'ssh-rsa AAAA' }).execute()
    await authorise(sent)
    const { server } = await slipway.ok(contract.trustHostKey, confirming(sent))
    expect(server).toMatchObject({ host_key: { fingerprint: shown } })
  })

  test('with a closed port reports the reason until it changes', async () => {
    const { sent } = await addServer({ port: 2 })
    const got = await slipway.refused(contract.connectServer, sent, 502, 'server_unreachable')
    expect(got.text).toMatch(/Could not reach web-1: .*refused on port 2/)
    expect(await read(sent)).toMatchObject({
      status: 'pending',
      reason: expect.stringMatching('refused on port 2'),
    })
    const { server } = await slipway.ok(contract.updateServer, { ...sent, body: { port: 22 } })
    expect(server.reason).toMatch(/^Add the key/)
  })

  longTest('whose sshd hangs times out within seconds', async () => {
    const { sent } = await addServer()
    await rig.hangSshd()
    onTestFinished(() => rig.restoreSshd())
    await slipway.refused(contract.connectServer, sent, 502, 'server_unreachable')
  })
})

describe('a server that moves', () => {
  /** A ready server with the rig's pinned key. */
  async function readyServer() {
    const { workspace, admin } = await makeTeam(slipway.db)
    const id = await makeServer(slipway.ctx, workspace, rig, { name: 'web-1' })
    return { workspace, sent: { token: admin.token, params: { id } } }
  }

  test('and presents the confirmed key at the new address keeps its status', async () => {
    const { sent } = await readyServer()
    const address = rig.address.replace(/\d+$/, '250')
    await rig.exec('ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    const { server } = await slipway.ok(contract.updateServer, { ...sent, body: { address } })
    expect(server).toMatchObject({ address, status: 'ready', host_key: { fingerprint: shown } })
  })

  test('to an address with another key must be confirmed again', async () => {
    const { sent, workspace } = await readyServer()
    const { server } = await slipway.ok(contract.updateServer, { ...sent, body: { port: 2 } })
    expect(server).toMatchObject({
      status: 'pending',
      host_key: null,
      reason: expect.stringMatching('Connect'),
    })
    expect(await eventsOf(slipway.db, workspace)).toEqual(['server.updated'])
    const { server: back } = await slipway.ok(contract.updateServer, { ...sent, body: { port: 22 } })
    expect(back).toMatchObject({ status: 'pending', host_key: null })
    await slipway.ok(contract.connectServer, sent)
    const { server: confirmed } = await slipway.ok(contract.trustHostKey, confirming(sent))
    expect(confirmed).toMatchObject({ status: 'setting_up', host_key: { fingerprint: shown } })
  })

  test('keeps its host key when only the user changes', async () => {
    const { sent } = await readyServer()
    const { server } = await slipway.ok(contract.updateServer, { ...sent, body: { user: 'ada' } })
    expect(server).toMatchObject({ user: 'ada', status: 'ready', host_key: { fingerprint: shown } })
  })
})

test.each([
  ['connecting', contract.connectServer, {}],
  ['confirming', contract.trustHostKey, { body: { fingerprint: shown } }],
])('%s is not repeated endlessly', async (_, endpoint, more) => {
  const { sent } = await addServer({ port: 2 })
  const call = () => slipway.call(endpoint.key, { ...sent, ...more, address: '192.0.2.30' })
  const first = await Promise.all(Array.from({ length: 30 }, call))
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([502]))
  await slipway.refused(endpoint, { ...sent, ...more, address: '192.0.2.30' }, 429)
})

test('removes its key from a deleted server and keeps other keys', async () => {
  const { sent } = await addServer()
  const key = await authorise(sent)
  await slipway.ok(contract.trustHostKey, confirming(sent))
  await slipway.db.updateTable('servers').set({ status: 'ready' }).where('id', '=', sent.params.id).execute()
  const before = (await rig.exec('cat', '/root/.ssh/authorized_keys')).split('\n').filter(Boolean)
  expect(before).toContain(key.public_key)
  await slipway.ok(contract.deleteServer, sent)
  const after = (await rig.exec('cat', '/root/.ssh/authorized_keys')).split('\n').filter(Boolean)
  expect(after).toEqual(before.filter((line) => line !== key.public_key))
  expect((await rig.exec('stat', '-c', '%a %U', '/root/.ssh/authorized_keys')).trim()).toBe('600 root')
})

test('deletes an unreachable server without a long wait', async () => {
  const { workspace, admin } = await makeTeam(slipway.db)
  const id = await makeServer(slipway.ctx, workspace, rig)
  await rig.cut()
  onTestFinished(() => rig.plug())
  const began = performance.now()
  await slipway.ok(contract.deleteServer, { token: admin.token, params: { id } })
  // TCP alone would give up after two minutes.
  expect(performance.now() - began).toBeLessThan(60_000)
})

// This test must be last, because the server presents another key from here on.
test('a changed host key stops everything until it is confirmed', async () => {
  const { workspace, admin } = await makeTeam(slipway.db)
  const id = await makeServer(slipway.ctx, workspace, rig, { name: 'web-1', status: 'unreachable' })
  const sent = { token: admin.token, params: { id } }
  const fingerprint = keyFingerprint(await rig.newHostKey())
  const got = await slipway.refused(contract.connectServer, sent, 409, 'host_key_changed')
  expect(got.text).toMatch(/reinstalled, or the connection may be intercepted/)
  expect(await read(sent)).toMatchObject({
    status: 'unreachable',
    host_key: { fingerprint: shown },
    offered_host_key: { fingerprint },
  })
  await slipway.refused(contract.trustHostKey, confirming(sent), 409, 'host_key_differs')
  const { server } = await slipway.ok(contract.trustHostKey, confirming(sent, fingerprint))
  expect(server).toMatchObject({ status: 'ready', reason: null, host_key: { fingerprint } })
  expect(await eventsOf(slipway.db, workspace)).toEqual(['server.host_key_trusted', 'server.ready'])
})

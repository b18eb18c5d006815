import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Id } from '../../../../contract/shared/ids.ts'
import * as contract from '../../../../contract/servers.ts'
import { startSlipway, type TestSlipway } from '../../../../test/support/stages/context.ts'
import { eventsOf } from '../../../../test/support/clients/events.ts'
import { makeServer, makeTeam } from '../../../../test/support/factories/factories.ts'
import { takeHost } from '../../../../test/support/stages/take-host.ts'
import { keyFingerprint } from '../../../remote/ssh/key-pair.ts'
import type { Watcher } from '../watcher.ts'
import { startWatching } from './watching.ts'
import { longTest } from '../../../../test/support/run/campaign.ts'

const rig = await takeHost()
let slipway: TestSlipway
let workspace: Id<'workspace'>
let id: Id<'server'>
let token: string
/** Has one entry per connection that the watcher saw. */
let visits: { over: boolean }[]

const visitor: Watcher = {
  name: 'visitor',
  async watch(_ctx, _server, _host, signal) {
    const visit = { over: false }
    visits.push(visit)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    visit.over = true
  },
}

beforeAll(async () => {
  slipway = await startSlipway()
  const watching = startWatching(slipway.ctx, [visitor])
  return () => watching.stop()
})
afterAll(() => slipway.close())

/** Creates a ready server that is connected. */
beforeEach(async () => {
  const team = await makeTeam(slipway.db)
  workspace = team.workspace
  token = team.admin.token
  visits = []
  id = await makeServer(slipway.ctx, workspace, rig, { name: 'web-1' })
  await isConnected()
  return async () => void (await slipway.db.deleteFrom('servers').where('id', '=', id).execute())
})

const read = async () => (await slipway.ok(contract.getServer, { token, params: { id } })).server
const events = () => eventsOf(slipway.db, workspace)
const polling = { interval: 50 }
const isConnected = () =>
  vi.waitFor(() => expect(visits.filter(({ over }) => !over)).toHaveLength(1), polling)

/** Returns the seconds until the server has this state. */
async function untilSeen(wanted: Partial<Awaited<ReturnType<typeof read>>>): Promise<number> {
  const began = performance.now()
  await vi.waitFor(async () => expect(await read()).toMatchObject(wanted), polling)
  return (performance.now() - began) / 1_000
}

test("reads the server's properties after connecting", async () => {
  await vi.waitFor(async () => expect((await read()).docker_version).toMatch(/^\d+\./), polling)
  const server = await read()
  expect(server.os).toMatch(/Debian/)
  expect(server.architecture).toBe((await rig.exec('uname', '-m')).trim())
  expect(server.cpus).toBe(Number(await rig.exec('nproc')))
  expect(server.memory_bytes).toBeGreaterThan(100_000_000)
  expect(server.disk_bytes).toBeGreaterThan(1_000_000_000)
  expect(Date.parse(server.last_seen_at ?? '')).toBeGreaterThan(Date.now() - 30_000)
  expect(server).toMatchObject({ status: 'ready', reason: null })
  expect(await events()).toEqual([])
})

describe('shows a server as unreachable and ready again after', () => {
  test('a network failure', async () => {
    await rig.cut()
    onTestFinished(() => rig.plug())
    expect(await untilSeen({ status: 'unreachable' })).toBeLessThan(45)
    expect((await read()).reason).toMatch(/^Could not reach web-1: /)
    expect(visits).toEqual([{ over: true }])
    await rig.plug()
    expect(await untilSeen({ status: 'ready', reason: null })).toBeLessThan(45)
    await isConnected()
    expect(await events()).toEqual(['server.unreachable', 'server.ready'])
  })

  longTest('a power failure, with its current name', async () => {
    await slipway.ok(contract.updateServer, { token, params: { id }, body: { name: 'web-2' } })
    await rig.powerOff()
    expect(await untilSeen({ status: 'unreachable' })).toBeLessThan(45)
    expect((await read()).reason).toMatch(/^Could not reach web-2: /)
    await rig.powerOn()
    expect(await untilSeen({ status: 'ready' })).toBeLessThan(45)
    expect((await events()).slice(0, 3)).toEqual(['server.updated', 'server.unreachable', 'server.ready'])
  })

  longTest('a hanging sshd', async () => {
    await rig.hangSshd()
    await untilSeen({ status: 'unreachable' })
    await rig.restoreSshd()
    await untilSeen({ status: 'ready', reason: null })
    expect(await events()).toEqual(['server.unreachable', 'server.ready'])
  })
})

test('ignores a brief connection loss', async () => {
  await rig.exec('pkill', '-f', '^sshd: root')
  await vi.waitFor(() => expect(visits).toEqual([{ over: true }, { over: false }]), polling)
  expect(await events()).toEqual([])
  expect(await read()).toMatchObject({ status: 'ready' })
})

describe('Docker', () => {
  longTest('that is down is shown as the reason until it responds', async () => {
    await rig.stopDockerd()
    onTestFinished(() => rig.startDockerd())
    await untilSeen({
      status: 'ready',
      reason: expect.stringMatching('Docker is not responding on this server'),
    })
    await rig.startDockerd()
    await untilSeen({ status: 'ready', reason: null })
    expect(await events()).toEqual(['server.docker_lost', 'server.docker_found'])
    expect(visits).toEqual([{ over: false }])
  })

  test('that restarts leaves the server ready', async () => {
    await rig.killDockerd()
    await rig.untilDockerAnswers()
    await untilSeen({ status: 'ready', reason: null })
    expect(await events()).not.toContain('server.unreachable')
    expect(visits).toEqual([{ over: false }])
  })
})

test('reports a rejected user and retries after a change', async () => {
  const change = (user: string) =>
    slipway.ok(contract.updateServer, { token, params: { id }, body: { user } })
  await change('nobody-there')
  await untilSeen({
    status: 'unreachable',
    reason: expect.stringMatching(/rejected Slipway’s key for the user nobody-there/),
  })
  await change('root')
  await untilSeen({ status: 'ready', reason: null })
})

test('disconnects from a deleted server immediately', async () => {
  await slipway.ok(contract.deleteServer, { token, params: { id } })
  await rig.authorize(rig.keys.publicKey)
  await vi.waitFor(() => expect(visits.filter(({ over }) => !over)).toEqual([]), polling)
})

longTest('watches a server during setup and leaves its status to the setup', async () => {
  const set = (status: 'setting_up' | 'ready') =>
    slipway.db.updateTable('servers').set({ status }).where('id', '=', id).execute()
  await set('setting_up')
  await rig.cut()
  onTestFinished(() => rig.plug())
  await vi.waitFor(() => expect(visits).toEqual([{ over: true }]), polling)
  expect(await read()).toMatchObject({ status: 'setting_up', reason: null })
  await set('ready')
  await untilSeen({ status: 'unreachable' })
})

// This test must be last, because the server presents another key from here on.
test('stops everything on a changed host key until it is confirmed', async () => {
  const fingerprint = keyFingerprint(await rig.newHostKey())
  await untilSeen({
    status: 'unreachable',
    reason: expect.stringMatching('presented a different host key than the confirmed one'),
  })
  expect(await read()).toMatchObject({
    host_key: { fingerprint: keyFingerprint(rig.hostKey) },
    offered_host_key: { fingerprint },
  })
  expect(visits).toEqual([{ over: true }])
  const { server } = await slipway.ok(contract.trustHostKey, { token, params: { id }, body: { fingerprint } })
  expect(server).toMatchObject({ status: 'ready', reason: null, host_key: { fingerprint } })
  await isConnected()
  expect(await events()).toEqual(['server.unreachable', 'server.host_key_trusted', 'server.ready'])
})

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
/** One entry for each time that a server was connected, and whether it still is. */
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

/** A server that was ready and has just been reached. */
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
const patience = { timeout: 60_000, interval: 50 }
const isConnected = () =>
  vi.waitFor(() => expect(visits.filter(({ over }) => !over)).toHaveLength(1), patience)

/** Seconds until the server is seen so. */
async function untilSeen(wanted: Partial<Awaited<ReturnType<typeof read>>>): Promise<number> {
  const began = performance.now()
  await vi.waitFor(async () => expect(await read()).toMatchObject(wanted), patience)
  return (performance.now() - began) / 1_000
}

test('what is known of a server is read as soon as it is connected', async () => {
  await vi.waitFor(async () => expect((await read()).docker_version).toMatch(/^\d+\./), patience)
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

describe('a server is shown unreachable, and ready again when it is back, after', () => {
  test('its cable was cut', async () => {
    await rig.cut()
    onTestFinished(() => rig.plug())
    expect(await untilSeen({ status: 'unreachable' })).toBeLessThan(15)
    expect((await read()).reason).toMatch(/^Could not reach web-1: /)
    expect(visits).toEqual([{ over: true }])
    await rig.plug()
    expect(await untilSeen({ status: 'ready', reason: null })).toBeLessThan(15)
    await isConnected()
    expect(await events()).toEqual(['server.unreachable', 'server.ready'])
  })

  longTest('its power went, and is told of by the name that it has then', async () => {
    await slipway.ok(contract.updateServer, { token, params: { id }, body: { name: 'web-2' } })
    await rig.powerOff()
    expect(await untilSeen({ status: 'unreachable' })).toBeLessThan(15)
    expect((await read()).reason).toMatch(/^Could not reach web-2: /)
    await rig.powerOn()
    expect(await untilSeen({ status: 'ready' })).toBeLessThan(15)
    expect((await events()).slice(0, 3)).toEqual(['server.updated', 'server.unreachable', 'server.ready'])
  })

  longTest('its sshd hung', async () => {
    await rig.hangSshd()
    await untilSeen({ status: 'unreachable' })
    await rig.restoreSshd()
    await untilSeen({ status: 'ready', reason: null })
    expect(await events()).toEqual(['server.unreachable', 'server.ready'])
  })
})

test('a connection that breaks and is there again at once is not worth a word', async () => {
  await rig.exec('pkill', '-f', '^sshd: root')
  await vi.waitFor(() => expect(visits).toEqual([{ over: true }, { over: false }]), patience)
  expect(await events()).toEqual([])
  expect(await read()).toMatchObject({ status: 'ready' })
})

describe('Docker', () => {
  longTest(
    'that is down is told as the reason, and no longer when it answers',
    async () => {
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
    },
    60_000,
  )

  test('that is killed and comes back leaves the server ready', async () => {
    await rig.killDockerd()
    await rig.untilDockerAnswers()
    await untilSeen({ status: 'ready', reason: null })
    expect(await events()).not.toContain('server.unreachable')
    expect(visits).toEqual([{ over: false }])
  }, 60_000)
})

test('a user that is refused is told, and tried anew when it is changed', async () => {
  const change = (user: string) =>
    slipway.ok(contract.updateServer, { token, params: { id }, body: { user } })
  await change('nobody-there')
  await untilSeen({
    status: 'unreachable',
    reason: expect.stringMatching(/refused the key of Slipway for the user nobody-there/),
  })
  await change('root')
  await untilSeen({ status: 'ready', reason: null })
})

test('a deleted server is let go of at once', async () => {
  await slipway.ok(contract.deleteServer, { token, params: { id } })
  await rig.authorize(rig.keys.publicKey)
  await vi.waitFor(() => expect(visits.filter(({ over }) => !over)).toEqual([]), patience)
})

longTest('a server that is being set up is watched, and its state left to its set-up', async () => {
  const set = (status: 'setting_up' | 'ready') =>
    slipway.db.updateTable('servers').set({ status }).where('id', '=', id).execute()
  await set('setting_up')
  await rig.cut()
  onTestFinished(() => rig.plug())
  await vi.waitFor(() => expect(visits).toEqual([{ over: true }]), patience)
  expect(await read()).toMatchObject({ status: 'setting_up', reason: null })
  await set('ready')
  await untilSeen({ status: 'unreachable' })
})

// Last: from here on the server shows another key.
test('a changed host key stops everything until somebody confirms it', async () => {
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

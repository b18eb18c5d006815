import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/servers.ts'
import * as domains from '../../../contract/domains.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { machineOf, makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { makeRouted, takeProxyHost, visit } from '../../../test/support/stages/proxies.ts'
import { ProxyNotInstalled } from '../../remote/proxy/files.ts'
import { verifyMachine } from '../servers/machine.ts'
import { getServerHost } from '../servers/server-host.ts'
import { syncProxy } from './proxy.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeProxyHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name, OUTBOUND_NETWORKS: '127.0.0.0/8' })
afterAll(() => slipway.close())
const shop = await makeRouted(slipway, host)
beforeAll(async () => {
  await shop.addDomain('shop.example.com')
  await shop.serve('1')
})

const version = async (name: string) => (await visit(host, { host: name })).headers['x-version']

const rowOf = (id: Id<'server'>) =>
  slipway.db.selectFrom('servers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Clears the machine of the server. */
const forget = (id: Id<'server'>) =>
  slipway.db.updateTable('servers').set({ machine: null }).where('id', '=', id).execute()

const file = '/var/lib/slipway/proxy/machine'
const writeMachine = async (machine: string) =>
  void (await host.exec('sh', '-c', `printf %s "$1" > ${file}`, 'sh', machine))

test('requires a login to share a machine', async () => {
  const team = await makeTeam(slipway.db)
  const { token } = team.admin
  const given = { name: 'theirs', address: host.address, port: host.port }
  const { server } = await slipway.ok(contract.createServer, { token, body: given })
  const params = { id: server.id }
  const shown = await slipway.ok(contract.connectServer, { token, params })
  const body = { fingerprint: shown.server.offered_host_key?.fingerprint ?? '' }
  await slipway.refused(contract.trustHostKey, { token, params, body }, 502, 'server_refused')
  const row = await rowOf(server.id)
  expect(row).toMatchObject({ host_keys: [host.hostKey], machine: null })
  // The server gets no routes of others and learns nothing about them.
  const id = await makeApplication(slipway.db, team.workspace, server.id)
  const asked = { token, params: { id }, body: { host: 'shop.example.com', https: false } }
  await slipway.refused(domains.createDomain, asked, 409, 'host_taken')
  await expect(syncProxy(slipway.ctx, row)).rejects.toBeInstanceOf(ProxyNotInstalled)
  await shop.sync()
  expect(await version('shop.example.com')).toBe('1')
})

test('keeps earlier claims when two servers turn out to be one machine', async () => {
  const theirs = await makeRouted(slipway, host)
  await forget(theirs.server)
  await theirs.addDomain('theirs.example.com')
  await theirs.publish(15_500, 3_000)
  await shop.publish(15_500, 3_000)
  await verifyMachine(slipway.ctx, await theirs.row(), getServerHost(slipway.ctx, await theirs.row()))
  expect(await theirs.row()).toMatchObject({
    machine: machineOf(host.hostKey),
    machine_since: expect.any(Date),
  })
  await theirs.serve('2')
  expect(await version('theirs.example.com')).toBe('2')
  expect(await visit(host, { port: 15_500 })).toMatchObject({ headers: { 'x-version': '1' } })
})

test('sends no routes of others to a different machine', async () => {
  const ours = await makeRouted(slipway, { ...host, ...nowhere() })
  const theirs = await makeRouted(slipway, host)
  await slipway.db
    .updateTable('servers')
    .set({ machine: (await ours.row()).machine })
    .where('id', '=', theirs.server)
    .execute()
  await ours.addDomain('secret.example.com')
  await expect(theirs.sync()).rejects.toThrow('This server is now a different machine.')
  expect(await host.exec('cat', '/var/lib/slipway/proxy/routes.map')).not.toContain('secret.example.com')
  expect((await theirs.row()).machine).toBe(machineOf(host.hostKey))
})

longTest('does not let an unresponsive server block others on the machine', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const place = silent.address()
  const port = place && typeof place === 'object' ? place.port : 0
  const there = { ...host, address: '127.0.0.1', port }
  const row = await rowOf(await makeServer(slipway.ctx, shop.workspace, there))
  let ended = false
  const lost = syncProxy(slipway.ctx, row).catch((error: unknown) => {
    ended = true
    return error
  })
  await shop.sync()
  expect(ended).toBe(false)
  expect(await lost).toBeInstanceOf(Error)
})

/** Refuses connections, so that nothing waits. */
const refusing = () => ({ ...nowhere(), address: host.address, port: 1 })

const pin = (id: Id<'server'>, host_keys: string[]) =>
  slipway.db.updateTable('servers').set({ host_keys }).where('id', '=', id).execute()

test('detects a copied machine ID with any host key type', async () => {
  const stolen = 'e'.repeat(64)
  const key = 'ecdsa-sha2-nistp256 AAAA'
  const victim = await makeServer(slipway.ctx, shop.workspace, refusing(), {
    machine: stolen,
    host_keys: [key],
  })
  onTestFinished(() => writeMachine(machineOf(host.hostKey)))
  // The second server was imported and reported the victim's public key as its own.
  for (const pinned of [[host.hostKey], [host.hostKey, key]]) {
    await writeMachine(stolen)
    const thief = await makeRouted(slipway, host)
    await forget(thief.server)
    await pin(thief.server, pinned)
    await verifyMachine(slipway.ctx, await thief.row(), getServerHost(slipway.ctx, await thief.row()))
    expect((await thief.row()).machine).toMatch(/^[0-9a-f]{64}$/)
    expect((await thief.row()).machine).not.toBe(stolen)
  }
  expect((await rowOf(victim)).machine).toBe(stolen)
})

test('recognizes one machine behind different host keys', async () => {
  const stage = 'd'.repeat(64)
  onTestFinished(() => writeMachine(machineOf(host.hostKey)))
  await writeMachine(stage)
  const [one, other] = [await makeRouted(slipway, host), await makeRouted(slipway, host)]
  await slipway.db.updateTable('servers').set({ machine: stage }).where('id', '=', one.server).execute()
  await pin(one.server, [host.hostKey, 'ecdsa-sha2-nistp256 AAAA'])
  await forget(other.server)
  await verifyMachine(slipway.ctx, await other.row(), getServerHost(slipway.ctx, await other.row()))
  expect((await other.row()).machine).toBe(stage)
  expect(await host.exec('ls', '-A', '/var/lib/slipway/proxy')).not.toContain('.proof')
})

test('detects a cloned disk', async () => {
  onTestFinished(() => writeMachine(machineOf(host.hostKey)))
  const elsewhere = await makeServer(slipway.ctx, shop.workspace, refusing(), { machine: 'f'.repeat(64) })
  await writeMachine('f'.repeat(64))
  const copy = await makeRouted(slipway, host)
  await forget(copy.server)
  await verifyMachine(slipway.ctx, await copy.row(), getServerHost(slipway.ctx, await copy.row()))
  const { machine } = await copy.row()
  expect(machine).toMatch(/^[0-9a-f]{64}$/)
  expect(machine).not.toBe((await rowOf(elsewhere)).machine)
  expect(await host.exec('cat', file)).toBe(machine)
  expect(await host.exec('stat', '-c', '%a %G', file)).toBe('640 docker\n')
})

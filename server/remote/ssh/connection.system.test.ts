import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { anywhere, failureOf, openHosts, targetOf } from '../../../test/support/stages/reach.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { command } from '../command.ts'
import {
  HostKeyChanged,
  HostKeyUnknown,
  ConnectionLost,
  TargetOutdated,
  AuthenticationRefused,
  HostUnreachable,
} from '../errors.ts'
import { keyFingerprint, newKeyPair } from './key-pair.ts'
import { scanHostKey } from './host-key.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const server = await takeHost()
const hosts = openHosts()
const connections = async () => Number(await server.exec('pgrep', '-fc', '^sshd: root').catch(() => '0'))

test('shares one connection per target and replaces it on a change', async () => {
  const host = hosts.get(targetOf(server))
  await Promise.all([
    host.connect(),
    host.connect(),
    host.run(command('true')),
    hosts.get(targetOf(server)).connect(),
  ])
  expect(hosts.get(targetOf(server))).toBe(host)
  // A process of the login may still be ending.
  await vi.waitFor(async () => expect(await connections()).toBe(1))
  const lost = new Promise<Error>((resolve) => host.onLost(resolve))
  await hosts.get(targetOf(server, { hostKeys: [server.hostKey, 'ssh-rsa AAAA'] })).connect()
  expect((await lost).message).toBe('The connection settings of this server changed. Try again.')
  expect(await failureOf(host.run(command('true')))).toBeInstanceOf(ConnectionLost)
  await vi.waitFor(async () => expect(await connections()).toBe(1))
  hosts.disconnect(`server-${server.index}`)
  await vi.waitFor(async () => expect(await connections()).toBe(0))
})

test('refuses an outdated target without closing the connection', async () => {
  const id = 'moving'
  const old = hosts.get(targetOf(server, { id, port: 24 }))
  const now = hosts.get(targetOf(server, { id, version: 3 }))
  await now.connect()
  const onLost = vi.fn<(reason: Error) => void>()
  now.onLost(onLost)
  const late = hosts.get(targetOf(server, { id, version: 2, port: 24 }))
  const tries = [old, late].flatMap((one) => [
    one.connect(),
    one.run(command('true')),
    one.docker.json({ path: '/_ping' }),
  ])
  for (const error of await Promise.all(tries.map(failureOf))) expect(error).toBeInstanceOf(TargetOutdated)
  expect(hosts.get(targetOf(server, { id, version: 3 }))).toBe(now)
  expect((await now.run(command('echo', 'here'))).stdout).toBe('here\n')
  expect(onLost).not.toHaveBeenCalled()
  // The target changed and changed back, so the version in between is outdated.
  expect(hosts.get(targetOf(server, { id, version: 5 }))).toBe(now)
  const between = hosts.get(targetOf(server, { id, version: 4, port: 24 }))
  expect(await failureOf(between.connect())).toBeInstanceOf(TargetOutdated)
  expect(onLost).not.toHaveBeenCalled()
  hosts.disconnect(id)
})

test('reports an unconfirmed host key without trusting it', async () => {
  const error = await failureOf(hosts.get(targetOf(server, { hostKeys: [] })).connect())
  expect(error).toBeInstanceOf(HostKeyUnknown)
  expect(error).toMatchObject({ offered: server.hostKey })
})

test('reports a rejected key', async () => {
  const stranger = newKeyPair('stranger')
  const error = await failureOf(hosts.get(targetOf(server, { privateKey: stranger.privateKey })).connect())
  expect(error).toBeInstanceOf(AuthenticationRefused)
  expect(error.message).toMatch(/^The server refused the user root\. /)
  expect(await failureOf(hosts.get(targetOf(server, { user: 'nobody-here' })).connect())).toBeInstanceOf(
    AuthenticationRefused,
  )
})

test('reports why a connection failed', async () => {
  const reason = async (changes: object) => {
    const error = await failureOf(hosts.get(targetOf(server, { id: 'elsewhere', ...changes })).connect())
    expect(error).toBeInstanceOf(HostUnreachable)
    return error.message
  }
  expect(await reason({ port: 24 })).toMatch(/^Connection refused on port 24\./)
  expect(await reason({ address: 'no-such-name.invalid' })).toMatch(/name/)
  const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  onTestFinished(() => void rude.close())
  await vi.waitFor(() => expect(rude.address()).not.toBeNull())
  const place = rude.address()
  const port = place && typeof place === 'object' ? place.port : 0
  expect(await reason({ address: '127.0.0.1', port })).toMatch(
    /closed the connection on port \d+ before the login/,
  )
})

/** Starts a proxy to sshd that counts connections. */
async function counted() {
  let count = 0
  const counter = createServer((near) => {
    count++
    const far = connect(22, server.address)
    near.pipe(far).pipe(near)
    for (const socket of [near, far])
      socket.on('error', () => far.destroy()).on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void counter.close())
  await vi.waitFor(() => expect(counter.address()).not.toBeNull())
  const place = counter.address()
  return { port: place && typeof place === 'object' ? place.port : 0, count: () => count }
}

test('reads the host key with one handshake and no login', async () => {
  const { port, count } = await counted()
  expect(await scanHostKey('127.0.0.1', port, { mayConnect: anywhere })).toBe(server.hostKey)
  expect(
    await scanHostKey('127.0.0.1', port, { mayConnect: anywhere, types: ['ssh-rsa', 'ssh-ed25519'] }),
  ).toBe(server.hostKey)
  expect(await scanHostKey('127.0.0.1', port, { mayConnect: anywhere, types: ['ssh-rsa'] })).toBeUndefined()
  expect(count()).toBe(3)
  const said = await server.exec('ssh-keygen', '-lf', '/etc/ssh/ssh_host_ed25519_key.pub')
  expect(said).toContain(keyFingerprint(server.hostKey))
  expect((await failureOf(scanHostKey(server.address, 24, { mayConnect: anywhere }))).message).toMatch(
    /refused on port 24/,
  )
})

longTest('returns no key of a server that has only weak ones', async () => {
  const odd = await takeHost(onTestFinished)
  const key = '/etc/ssh/ssh_host_rsa_key'
  await odd.exec('sh', '-c', `[ -e "$1" ] || ssh-keygen -q -t rsa -N '' -f "$1"`, 'sh', key)
  await odd.sshConfig(`HostKey ${key}\nHostKeyAlgorithms ssh-rsa`)
  const error = await failureOf(hosts.get(targetOf(odd)).connect())
  expect(error).toBeInstanceOf(HostUnreachable)
  expect(error.message).toMatch(/offers no secure algorithm/)
})

test('notices a network failure within seconds and reconnects', async () => {
  const host = hosts.get(targetOf(server))
  const running = await host.start(command('sleep', '600'))
  const lost = new Promise<Error>((resolve) => host.onLost(resolve))
  await server.cut()
  onTestFinished(() => server.plug())
  expect(await failureOf(running.ended)).toBeInstanceOf(ConnectionLost)
  expect((await lost).message).toBe('The connection was lost: the server stopped responding.')
  expect(await failureOf(host.connect())).toBeInstanceOf(HostUnreachable)
  await server.plug()
  await vi.waitFor(() => host.connect())
  expect((await host.run(command('echo', 'back'))).stdout).toBe('back\n')
})

test('reports a loss immediately without a connection', async () => {
  const host = hosts.get(targetOf(server, { id: 'never-connected' }))
  expect(await new Promise<Error>((resolve) => host.onLost(resolve))).toBeInstanceOf(ConnectionLost)
})

longTest('gives up on a hanging sshd', async () => {
  const host = hosts.get(targetOf(server))
  await host.connect()
  const lost = new Promise<Error>((resolve) => host.onLost(resolve))
  await server.hangSshd()
  onTestFinished(() => server.restoreSshd())
  const error = await failureOf(hosts.get(targetOf(server, { id: 'another' })).connect())
  expect(error).toBeInstanceOf(HostUnreachable)
  expect(error.message).toMatch(/^Port 22 accepts connections, but SSH login timed out after 8 seconds\./)
  expect(await lost).toBeInstanceOf(ConnectionLost)
})

test('refuses another host key of any type', async () => {
  const offered = await server.newHostKey()
  const error = await failureOf(hosts.get(targetOf(server)).run(command('true')))
  expect(error).toBeInstanceOf(HostKeyChanged)
  expect(error).toMatchObject({ offered })
  const other = hosts.get(targetOf(server, { id: 'other', hostKeys: ['ecdsa-sha2-nistp256 AAAA'] }))
  expect(await failureOf(other.connect())).toMatchObject({ constructor: HostKeyChanged, offered })
  await hosts.get(targetOf(server, { hostKeys: [offered] })).connect()
})

import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { failureOf, openHosts, targetOf } from '../../test/support/stages/reach.ts'
import { takeHost } from '../../test/support/stages/take-host.ts'
import { DockerUnavailable, DockerError } from './errors.ts'
import { longTest } from '../../test/support/run/campaign.ts'

const server = await takeHost()
const hosts = openHosts()
const { docker } = hosts.get(targetOf(server))
const ways = [
  { way: 'over SSH', docker: () => docker },
  {
    way: 'on this machine',
    docker: () => hosts.get({ kind: 'local', id: 'here', dockerSocket: server.dockerSocket() }).docker,
  },
]

describe.each(ways)('Docker $way', ({ docker }) => {
  test('answers a hundred concurrent requests', async () => {
    const all = Array.from({ length: 100 }, () => docker().json<{ ApiVersion: string }>({ path: '/version' }))
    for (const { ApiVersion } of await Promise.all(all)) expect(ApiVersion).toMatch(/^1\.\d+$/)
  })

  test('accepts a body and may respond without one', async () => {
    const made = await docker().json<{ Name: string }>({
      method: 'POST',
      path: '/volumes/create',
      body: { Name: 'test-volume', Labels: { odd: 'é\n"' } },
    })
    expect(made).toMatchObject({ Name: 'test-volume', Labels: { odd: 'é\n"' } })
    expect(await docker().json({ method: 'DELETE', path: '/volumes/test-volume' })).toBeUndefined()
  })

  test("returns Docker's own error message", async () => {
    const error = await failureOf(docker().json({ path: '/containers/none/json' }))
    expect(error).toBeInstanceOf(DockerError)
    expect(error).toMatchObject({ status: 404, message: 'No such container: none' })
  })

  test('accepts and returns streams', async () => {
    const tar = Readable.from([Buffer.alloc(1024)])
    const said = await docker().stream({ method: 'POST', path: '/images/load', input: tar })
    await said.resume().toArray()
    const leave = new AbortController()
    // Docker responds slightly before it subscribes, so the last moments are requested as well.
    const since = Math.floor(Date.now() / 1_000)
    const path = `/events?since=${since}&filters=${encodeURIComponent('{"volume":["seen"]}')}`
    const events = await docker().stream({ path, signal: leave.signal })
    const first = new Promise<string>((resolve) =>
      events.once('data', (data: Buffer) => resolve(data.toString())),
    )
    events.on('error', () => {})
    await docker().json({ method: 'POST', path: '/volumes/create', body: { Name: 'seen' } })
    expect(JSON.parse(await first)).toMatchObject({ Type: 'volume', Action: 'create' })
    leave.abort()
    await vi.waitFor(() => expect(events.destroyed).toBe(true))
  })

  test('recovers after dockerd was killed', async () => {
    await docker().json({ path: '/version' })
    await server.killDockerd()
    await server.untilDockerAnswers()
    expect(await docker().json({ path: '/containers/json' })).toEqual([])
  })
})

test('reports that dockerd is not running, over SSH and locally', async () => {
  await server.stopDockerd()
  const error = await failureOf(docker.json({ path: '/version' }))
  const local = hosts.get({ kind: 'local', id: 'here', dockerSocket: server.dockerSocket() })
  const localError = await failureOf(local.docker.json({ path: '/version' }))
  await server.startDockerd()
  expect(error).toBeInstanceOf(DockerUnavailable)
  expect(error.message).toMatch(/^Docker is not responding on this server\./)
  expect(localError).toBeInstanceOf(DockerUnavailable)
  expect(await docker.json({ path: '/containers/json' })).toEqual([])
})

test('reports a user without access to Docker', async () => {
  await server.addUser('bob', { sudo: 'none' })
  await server.authorize(server.keys.publicKey, 'bob')
  const bob = hosts.get(targetOf(server, { id: 'bob', user: 'bob' }))
  const error = await failureOf(bob.docker.json({ path: '/version' }))
  expect(error).toBeInstanceOf(DockerUnavailable)
  expect(error.message).toMatch(/^The SSH user cannot use Docker\./)
})

longTest('ends a stream when the network fails', async () => {
  const events = await docker.stream({ path: '/events' })
  await server.cut()
  onTestFinished(() => server.plug())
  const broken = new Promise((resolve) => events.once('error', resolve))
  events.resume()
  expect(await broken).toBeInstanceOf(Error)
})

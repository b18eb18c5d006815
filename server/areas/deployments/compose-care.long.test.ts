import { expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { publish, publishFor, startRegistry } from '../../../test/support/programs/registry.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { schedules } from './area.ts'

vi.setConfig({ testTimeout: 240_000 })

const stage = await openShopStage('1')
const { slipway, host } = stage
const { deploy, request, ended, untilAt, instancesOf, makeShop, setFile, containersOf } = stage
slipway.work()

const idle = 'setInterval(() => {}, 1000)'

/** `app` shares the network of `vpn`, so the deployment stops both before it starts their successors. */
const file = ({ version = '1', port = 15_000, last = idle, more = '' } = {}) => `
x-idle: &idle { image: 'rig/app:1', entrypoint: [node, -e, '${idle}'], init: true }
services:
  vpn: { <<: *idle, environment: { V: '${version}' }, ports: ['${port}:5000/udp'] }
  app: { <<: *idle, network_mode: 'service:vpn' }
  last: { <<: *idle, entrypoint: [node, -e, '${last}'], depends_on: [app]${more} }
`
const ends = (after: number) => `setTimeout(() => process.exit(3), ${after})`

const shop = await makeShop()
await setFile(shop, file())
const first = await deploy(shop)

/** Lists service, container ID and status of each container. */
async function containers(application: Id<'application'> = shop) {
  const names = await containersOf(application)
  const format = '{{index .Config.Labels "slipway.service"}} {{.Id}} {{.State.Status}}'
  return (await host.exec('docker', 'inspect', '--format', format, ...names)).trim().split('\n').toSorted()
}

const states = async () => (await instancesOf(shop)).map(({ state }) => state)
const serving = ['serving', 'serving', 'serving']

test('restarts held containers in dependency order', async () => {
  expect(first).toMatchObject({ status: 'completed', errors: [] })
  const before = await containers()
  await setFile(shop, file({ version: '2', last: ends(0) }))
  const { status, data } = await deploy(shop)
  expect(status).toBe('failed')
  expect(data.logs).toContain('The previous containers are running again.')
  expect(data.logs).toContain('The previous release is live again.')
  expect(await containers()).toEqual(before)
  expect(await states()).toEqual(serving)
})

test('restores the containers that an earlier deployment could not, before anything else', async () => {
  const before = await containers()
  const vpn = (await instancesOf(shop)).find(({ service }) => service === 'vpn')
  await host.exec('docker', 'update', '--restart', 'no', vpn?.container_id ?? '')
  await host.exec('docker', 'stop', vpn?.container_id ?? '')
  const left = { state: 'held' as const, drained_by: vpn?.deployment_id ?? null }
  await slipway.db
    .updateTable('instances')
    .set(left)
    .where('id', '=', vpn?.id ?? 'ins_')
    .execute()
  // The deployment removes the service and fails, so the service must run as before.
  await setFile(shop, `services: { last: { image: 'rig/app:1', entrypoint: [node, -e, '${ends(0)}'] } }`)
  expect((await deploy(shop)).status).toBe('failed')
  expect(await containers()).toEqual(before)
  expect(await states()).toEqual(serving)
})

test('reports containers that could not be restored, and retries', async () => {
  const before = await containers()
  const more = ', healthcheck: { test: [CMD, node], interval: 1m }'
  await setFile(shop, file({ version: '3', port: 15_001, last: ends(6_000), more }))
  const { id } = await request(shop)
  await untilAt(id, 'wait')
  const thief = (await host.exec('docker', 'run', '--detach', '--publish', '15000:1/udp', 'rig/app:1')).trim()
  const { status, data } = await ended(id)
  expect(status).toBe('failed')
  expect(data.logs.join('\n')).toMatch('The previous containers are still stopped.')
  expect(data.logs.join('\n')).not.toMatch('The previous release is')
  await host.exec('docker', 'rm', '--force', thief)
  slipway.work(schedules)
  await vi.waitFor(async () => expect(await states()).toEqual(serving), { timeout: 60_000 })
  expect(await containers()).toEqual(before)
})

test('continues when an optional service fails, and releases a removed port', async () => {
  const other = await makeShop(undefined, { drain_seconds: 1 })
  const text = (ports: string) => `
services:
  web:
    image: rig/app:1
    ports: [${ports}]
    depends_on: { cache: { condition: service_healthy, required: false } }
  cache: { image: 'rig/app:1', entrypoint: [node, -e, 'process.exit(4)'], restart: always }
`
  const isOpen = () => host.exec('curl', '-sS', '--max-time', '5', 'http://127.0.0.1:18085/')
  await setFile(other, text('"18085:3000"'))
  const done = await deploy(other)
  expect(done).toMatchObject({ status: 'completed', errors: [] })
  expect(done.data.logs.filter((line) => line.startsWith('Warning: '))).toEqual([
    expect.stringMatching(/^Warning: Container \S+-cache-\S+ exited with code 4\. cache is optional, /),
  ])
  // Docker restarts the optional service after the deployment.
  const policy = '{{.HostConfig.RestartPolicy.Name}} {{gt .RestartCount 0}}'
  const cache = (await containersOf(other)).find((name) => name.includes('-cache-')) ?? ''
  await vi.waitFor(
    async () =>
      expect((await host.exec('docker', 'inspect', '--format', policy, cache)).trim()).toBe('always true'),
    { timeout: 60_000 },
  )
  expect(await isOpen()).toContain('1 ')
  await setFile(other, text(''))
  expect((await deploy(other)).errors).toEqual([])
  await expect(isOpen()).rejects.toThrow(/refused|connect to/i)
})

test('pulls the platform that the file requires, and again when it changes', async () => {
  const other = await makeShop()
  const registry = await startRegistry(host)
  const image = await publish(host, registry, 'two:1', { file: 10 })
  await publishFor(registry, 'two:1', 's390x')
  const text = (platform: string) => `services: { last: { image: '${image}', init: true${platform} } }`
  const processor = async () => {
    const [name = ''] = await containersOf(other)
    const of = (await host.exec('docker', 'inspect', '--format', '{{.Image}}', name)).trim()
    return (await host.exec('docker', 'image', 'inspect', '--format', '{{.Architecture}}', of)).trim()
  }
  await setFile(other, text(', platform: linux/s390x'))
  const done = await deploy(other)
  expect(done.errors).toEqual([])
  expect(done.data.logs).toContain(`Pulling ${image} for linux/s390x`)
  expect(await processor()).toBe('s390x')
  await setFile(other, text(''))
  expect((await deploy(other)).errors).toEqual([])
  expect(await processor()).not.toBe('s390x')
  await setFile(other, text(', platform: linux/riscv64').replace(image, 'rig/app:1'))
  expect((await deploy(other)).errors).toEqual([
    expect.stringMatching(
      /^rig\/app:1 is built for linux\/\w+, but the compose file requires linux\/riscv64\./,
    ),
  ])
})

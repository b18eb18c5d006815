import { expect, test, vi } from 'vitest'
import { listVolumes } from '../../../contract/application-entries.ts'
import { getApplication } from '../../../contract/applications.ts'
import { listServices, planDeployment } from '../../../contract/compose.ts'
import { rollBackApplication, startApplication, stopApplication } from '../../../contract/deployments.ts'
import { startDeployer } from '../../../test/support/stages/deployments.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const stage = await openShopStage('1', '2', '3')
const { slipway, host, workspace, member, admin } = stage
const { deploy, ended, makeShop, setFile, containersOf, visit } = stage
slipway.work()

const file = ({ web = '1', api = '1', data = 'a', more = '' } = {}) => `
services:
  web:
    image: rig/app:${web}
    depends_on: { api: { condition: service_healthy } }
  api:
    image: rig/app:${api}
    ports: ["18080:3000"]
    healthcheck: { test: ["CMD", "node", "-e", "fetch('http://127.0.0.1:3000/healthz')"], interval: 1s }
    depends_on:
      db: { condition: service_started }
      prepare: { condition: service_completed_successfully }
  prepare:
    image: rig/app:1
    entrypoint: ["node", "-e", "console.log('ready')"]
  db:
    image: rig/app:1
    entrypoint: ["node", "-e", "setInterval(() => {}, 1000)"]
    environment: { DATA: ${data} }
    volumes: ["data:/data"]
    stop_grace_period: 1s
${more}
volumes: { data: {} }
`

const shop = await makeShop()
await setFile(shop, file())
await slipway.db
  .insertInto('domains')
  .values({
    id: 'dom_web',
    workspace_id: workspace,
    application_id: shop,
    service: 'web',
    host: 'compose.test',
    path: '/',
    port: 3000,
    https: false,
  })
  .execute()

const plan = async () => {
  const given = { token: member.token, params: { id: shop } }
  const { services } = (await slipway.ok(planDeployment, given)).plan
  return Object.fromEntries(services.map(({ name, action }) => [name, action]))
}

const inspected = async () => {
  const names = await containersOf(shop)
  const ids = await host.exec('docker', 'inspect', '--format', '{{.Id}} {{.State.Status}}', ...names)
  return Object.fromEntries(ids.split('\n').map((line, at) => [names[at]?.split('-').at(-4) ?? '', line]))
}

test('starts services after their dependencies and routes their domains and ports', async () => {
  expect(await plan()).toEqual({ web: 'added', api: 'added', db: 'added', prepare: 'added' })
  const done = await deploy(shop)
  expect(done.errors).toEqual([])
  expect(done.status).toBe('completed')
  expect(await visit('compose.test')).toContain('1')
  expect(await host.exec('curl', '-sS', 'http://127.0.0.1:18080/')).toContain('1')
  const now = await inspected()
  expect(now['prepare']).toContain('exited')
  expect(now['db']).toContain('running')
})

test('reports the state and manual changes of each service', async () => {
  const at = { token: member.token, params: { id: shop } }
  const readPlans = async () => {
    const { services } = await slipway.ok(listServices, at)
    return services.map(({ name, state, running, containers }) => [name, state, running, containers.length])
  }
  await vi.waitFor(
    async () =>
      expect(await readPlans()).toEqual([
        ['api', 'running', 1, 1],
        ['db', 'running', 1, 1],
        ['prepare', 'completed', 0, 1],
        ['web', 'running', 1, 1],
      ]),
    { timeout: 120_000 },
  )
  const { services } = await slipway.ok(listServices, at)
  expect(services[0]?.ports).toEqual([{ host: '', source: 18_080, target: 3000 }])
  expect(services[3]?.addresses).toEqual(['http://compose.test/'])
  const look = async () => (await slipway.ok(getApplication, at)).application
  expect(await look()).toMatchObject({ state: 'running', containers: { running: 3, wanted: 3 }, drift: [] })
  const db = (await containersOf(shop)).find((name) => name.includes('-db-')) ?? ''
  await host.exec('docker', 'pause', db)
  await vi.waitFor(async () => expect((await look()).drift).toEqual([`Container ${db} was paused manually.`]))
  expect(await look()).toMatchObject({ state: 'degraded', reason: 'db is paused.' })
  await host.exec('docker', 'unpause', db)
  const { volumes } = await slipway.ok(listVolumes, at)
  expect(volumes).toMatchObject([{ source: 'data', target: '/data', type: 'volume', services: ['db'] }])
})

test('replaces only changed services', async () => {
  const before = await inspected()
  await setFile(shop, file({ api: '2' }))
  expect(await plan()).toEqual({ web: 'unchanged', api: 'rolled', db: 'unchanged', prepare: 'unchanged' })
  expect((await deploy(shop)).errors).toEqual([])
  const after = await inspected()
  expect(after).toMatchObject({ web: before['web'], db: before['db'], prepare: before['prepare'] })
  expect(after['api']).not.toBe(before['api'])
  expect(await host.exec('curl', '-sS', 'http://127.0.0.1:18080/')).toContain('2')
})

test('routes network aliases to the new containers', async () => {
  const names = await containersOf(shop)
  const web = names.find((name) => name.includes('-web-')) ?? ''
  const said = await host.exec(
    'docker',
    'exec',
    web,
    'node',
    '-e',
    "fetch('http://api:3000/').then((r) => r.text()).then(console.log)",
  )
  expect(said).toContain('2')
})

test('reverts all services when one fails, also a stopped one', async () => {
  const before = await inspected()
  await setFile(
    shop,
    file({ api: '2', data: 'b', web: '3' }).replace(
      'rig/app:3',
      'rig/app:3\n    entrypoint: ["node", "-e", "process.exit(3)"]',
    ),
  )
  expect(await plan()).toMatchObject({ web: 'rolled', api: 'unchanged', db: 'recreated' })
  const failed = await deploy(shop)
  expect(failed.status).toBe('failed')
  expect(await inspected()).toEqual(before)
  expect(await visit('compose.test')).toContain('1')
})

test('rolls back to a kept release and removes services that it does not have', async () => {
  await setFile(shop, file({ api: '2', data: 'b', web: '2' }))
  expect((await deploy(shop)).errors).toEqual([])
  expect(await visit('compose.test')).toContain('2')
  const first = await slipway.db
    .selectFrom('releases')
    .select('id')
    .where('application_id', '=', shop)
    .orderBy('number')
    .executeTakeFirstOrThrow()
  const { deployment } = await slipway.ok(rollBackApplication, {
    token: member.token,
    params: { id: shop },
    body: { release_id: first.id },
  })
  expect((await ended(deployment.id)).errors).toEqual([])
  expect(await visit('compose.test')).toContain('1')
  await setFile(shop, 'services: { web: { image: rig/app:1 } }')
  expect(await plan()).toMatchObject({ api: 'removed', db: 'removed', prepare: 'removed' })
  expect((await deploy(shop)).errors).toEqual([])
  expect(await containersOf(shop)).toHaveLength(1)
})

longTest(
  'passes a container name and files on to the replacement, and rejoins external networks',
  async () => {
    const other = await makeShop()
    const byAdmin = startDeployer(slipway, admin.token)
    await host.exec('docker', 'network', 'create', 'outside')
    const text = (name: string, version: string) => `
services:
  ${name}:
    image: rig/app:1
    container_name: only-held
    restart: on-failure:3
    volumes: ["data:/data"]
    stop_grace_period: 1s
  side:
    image: rig/app:${version}
    networks: [outside]
    stop_grace_period: 1s
    depends_on: { none: { condition: service_healthy, required: false } }
  none: { image: 'rig/app:1', scale: 0 }
volumes: { data: {} }
networks: { outside: { external: true } }
`
    await setFile(other, text('one', '1'))
    expect((await byAdmin.deploy(other)).errors).toEqual([])
    const at = { token: admin.token, params: { id: other } }
    expect((await ended((await slipway.ok(stopApplication, at)).deployment.id)).errors).toEqual([])
    expect(await containersOf(other)).toContain('only-held')
    expect((await ended((await slipway.ok(startApplication, at)).deployment.id)).errors).toEqual([])
    await setFile(other, text('two', '2'))
    const done = await byAdmin.deploy(other)
    expect(done.errors).toEqual([])
    expect(done.data.logs).toContain('Stopping the old container of one before the new one starts')
    expect(await containersOf(other)).toHaveLength(2)
    const format = '{{.State.Status}} {{.HostConfig.RestartPolicy.MaximumRetryCount}}'
    const now = await host.exec('docker', 'inspect', '--format', format, 'only-held')
    expect(now.trim()).toBe('running 3')
  },
)

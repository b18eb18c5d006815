import { expect, test } from 'vitest'
import { stopApplication } from '../../../contract/deployments.ts'
import { listSavedLogs, searchSavedLogs } from '../../../contract/saved-logs.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { newId } from '../../platform/ids.ts'
import { changeApplication } from '../applications/application.ts'

const stage = await openShopStage('1', '2')
const { slipway, host, workspace, member } = stage
const { deploy, ended, instancesOf, makeShop, setEnv, containersOf, visit } = stage
slipway.work()

const eventsOf = (application: string) =>
  slipway.db
    .selectFrom('events')
    .select(['type', 'actor_name', 'detail'])
    .where('target_id', '=', application)
    .orderBy('id')
    .execute()

test('deploys an image, and replaces it by the next', async () => {
  const shop = await makeShop('shop.test')
  const first = await deploy(shop)
  expect(first).toMatchObject({
    type: 'deploy_application',
    status: 'completed',
    message: 'Deploy rig/app:1',
    data: { tag: 'rig/app:1', dropped_lines: 0 },
    errors: [],
    actor: { name: member.name },
    release: { number: 1 },
    cancellable: false,
  })
  expect(first.steps.map(({ name }) => name)).toEqual([
    'check',
    'fetch',
    'start',
    'wait',
    'switch',
    'drain',
    'prune',
  ])
  for (const step of first.steps) expect(step).toMatchObject({ status: 'completed', error: null })
  expect(first.data.logs).toContain('Version 1 listens on port 3000.')
  expect(await visit('shop.test')).toContain('1 ')
  await changeApplication(slipway.db, workspace, shop, { image: 'rig/app:2' })
  expect(await deploy(shop)).toMatchObject({ status: 'completed', errors: [], release: { number: 2 } })
  expect(await visit('shop.test')).toContain('2 ')
  const after = await instancesOf(shop)
  expect(after.map(({ state, slot }) => ({ state, slot }))).toEqual([{ state: 'serving', slot: 2 }])
  expect(await containersOf(shop)).toHaveLength(1)
  // The output of the removed container stays readable.
  const { logs } = await slipway.ok(listSavedLogs, { token: member.token, params: { id: shop } })
  expect(logs).toEqual([
    expect.objectContaining({ release: 1, service: null, restarts: 0, truncated: false }),
  ])
  const { matches } = await slipway.ok(searchSavedLogs, {
    token: member.token,
    params: { id: shop },
    query: { q: 'version 1 LISTENS' },
  })
  expect(matches.map(({ text }) => text)).toEqual(['Version 1 listens on port 3000.'])
  expect(await eventsOf(shop)).toEqual(
    ['Deploy rig/app:1', 'Deploy rig/app:2'].flatMap((detail) => [
      { type: 'deployment.queued', actor_name: member.name, detail },
      { type: 'deployment.started', actor_name: 'Slipway', detail },
      { type: 'deployment.completed', actor_name: 'Slipway', detail },
    ]),
  )
})

test('gives each replica an address and the full configuration', async () => {
  const data = { id: newId('volume'), workspace_id: workspace, position: 0, source: 'data', target: '/data' }
  const shop = await makeShop(undefined, {
    replicas: 3,
    memory_limit: 128 * 2 ** 20,
    cpu_limit: 0.5,
    restart: 'on-failure',
  })
  await slipway.db
    .insertInto('volumes')
    .values({ ...data, application_id: shop })
    .execute()
  await setEnv(shop, { GREETING: "it's $HOME; `id`", VERSION: 'mine' })
  const done = await deploy(shop)
  expect(done.status).toBe('completed')
  expect(done.data.logs.filter((line) => /^[123]: Version mine listens/.test(line))).toHaveLength(3)
  const instances = await instancesOf(shop)
  expect(new Set(instances.map(({ address }) => address)).size).toBe(3)
  expect(new Set(instances.map(({ slot }) => slot))).toEqual(new Set([1, 2, 3]))
  const found = JSON.parse(await host.exec('docker', 'inspect', ...(await containersOf(shop))))
  for (const { Config, HostConfig, NetworkSettings, Mounts } of found) {
    expect(Config.Env).toContain("GREETING=it's $HOME; `id`")
    expect(HostConfig).toMatchObject({
      Memory: 128 * 2 ** 20,
      NanoCpus: 5e8,
      RestartPolicy: { Name: 'on-failure' },
    })
    expect(HostConfig.PortBindings ?? {}).toEqual({})
    expect(NetworkSettings.Networks[`slipway-${shop}`].IPAddress).toMatch(/^172\./)
    expect(Mounts.map(({ Destination }: { Destination: string }) => Destination)).toEqual(['/data'])
  }
})

test('deploys without the proxy if nothing is routed, and stops gracefully', async () => {
  const worker = await makeShop(undefined, {
    health: JSON.stringify({ type: 'none', path: '/', within_seconds: 30 }),
  })
  expect(await deploy(worker)).toMatchObject({ status: 'completed' })
  const { deployment } = await slipway.ok(stopApplication, { token: member.token, params: { id: worker } })
  const stopped = await ended(deployment.id)
  expect(stopped).toMatchObject({ status: 'completed', message: 'Stop release 1' })
  expect(stopped.data.logs).toEqual(expect.arrayContaining(['Traffic stopped', 'Container stopped']))
  expect(stopped.steps.map(({ name }) => name)).toEqual(['switch', 'drain'])
  expect(await instancesOf(worker)).toMatchObject([{ state: 'stopped', slot: null }])
  const state = await host.exec(
    'docker',
    'inspect',
    '--format',
    '{{.State.Status}} {{.HostConfig.RestartPolicy.Name}}',
    ...(await containersOf(worker)),
  )
  expect(state.trim()).toBe('exited no')
})

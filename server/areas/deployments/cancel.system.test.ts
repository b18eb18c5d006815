import { expect, test, vi } from 'vitest'
import { publish, startRegistry } from '../../../test/support/programs/registry.ts'
import { startGate } from '../../../test/support/fakes/registry-gate.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { changeApplication } from '../applications/application.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const stage = await openShopStage('1')
const { slipway, host, workspace, member } = stage
const { deploy, request, look, ended, untilAt, instancesOf, makeShop, setEnv, containersOf, visit } = stage
slipway.work()

const cancel = (id: string) =>
  slipway.call('POST /v1/deployments/{id}/cancel', { token: member.token, params: { id } })

const shop = await makeShop('shop.test')
await deploy(shop)

async function expectOnly(version: string) {
  expect(await visit('shop.test')).toContain(`${version} `)
  expect(await instancesOf(shop)).toMatchObject([{ state: 'serving' }])
  expect(await containersOf(shop)).toHaveLength(1)
}

test('cancels during the health check and reverts everything', async () => {
  await setEnv(shop, { UNHEALTHY: '1', VERSION: 'bad' })
  const { id } = await request(shop)
  await untilAt(id, 'wait')
  expect((await look(id)).cancellable).toBe(true)
  expect(await look(id)).toMatchObject({ waiting_for: null, cancelling: false })
  expect((await cancel(id)).body).toMatchObject({ deployment: { cancelling: true, cancellable: false } })
  const over = await ended(id)
  expect(over).toMatchObject({
    status: 'cancelled',
    cancellable: false,
    cancelling: false,
    errors: [],
    release: null,
  })
  expect(over.steps.find(({ name }) => name === 'wait')?.status).toBe('undone')
  expect(over.data.logs.at(-1)).toBe('Deployment canceled. All changes were reverted.')
  await expectOnly('1')
  // A second request changes nothing.
  expect((await cancel(id)).status).toBe(200)
  const emitted = await slipway.db
    .selectFrom('events')
    .select('actor_name')
    .where('type', '=', 'deployment.cancelled')
    .where('target_id', '=', shop)
    .execute()
  expect(emitted).toEqual([{ actor_name: member.name }])
})

longTest('cancels a running pull in Docker', async () => {
  const registry = await startRegistry(host)
  const image = await publish(host, registry, 'shop/slow:1', { a: 3_000_000 })
  const gate = await startGate(registry)
  gate.close()
  await changeApplication(slipway.db, workspace, shop, {
    image: image.replace(registry.address, gate.address),
  })
  const { id } = await request(shop)
  await changeApplication(slipway.db, workspace, shop, { image: 'rig/app:1' })
  await vi.waitFor(async () => expect((await look(id)).data.logs.join()).toContain('Pulling'))
  await cancel(id)
  expect(await ended(id)).toMatchObject({ status: 'cancelled' })
  gate.open()
  await expectOnly('1')
  expect(
    await host.exec('docker', 'images', '--quiet', '--filter', `reference=${gate.address}/shop/slow`),
  ).toBe('')
})

test('cancels a queued deployment at once', async () => {
  await setEnv(shop, { UNHEALTHY: '1' })
  const first = await request(shop)
  await untilAt(first.id, 'wait')
  const second = await request(shop)
  expect(second.waiting_for).toBe(`Waiting for “Deploy rig/app:1”, started by ${member.name}.`)
  expect((await cancel(second.id)).body).toMatchObject({
    deployment: { status: 'cancelled', started_at: null, waiting_for: null, cancelling: false },
  })
  await cancel(first.id)
  await ended(first.id)
  await expectOnly('1')
})

test('runs only the newest queued deployment, and records what replaced the others', async () => {
  await setEnv(shop, { UNHEALTHY: '1' })
  const first = await request(shop)
  await untilAt(first.id, 'wait')
  await setEnv(shop, { VERSION: 'last' })
  const waiting = await Promise.all([request(shop), request(shop), request(shop)])
  await cancel(first.id)
  await ended(first.id)
  const all = await Promise.all(waiting.map(({ id }) => ended(id)))
  expect(all.map(({ status }) => status).toSorted()).toEqual(['cancelled', 'cancelled', 'completed'])
  for (const { message, steps } of all.filter(({ status }) => status === 'cancelled')) {
    expect(message).toBe('Deploy rig/app:1 (replaced by: Deploy rig/app:1)')
    expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(['skipped']))
  }
  await expectOnly('last')
})

test('refuses to cancel once the release is live', async () => {
  await setEnv(shop, { VERSION: 'new' })
  const done = await deploy(shop)
  const refused = await cancel(done.id)
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('The new release is already live. Roll back instead.')
  await expectOnly('new')
})

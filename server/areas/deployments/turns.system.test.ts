import type { Updateable } from 'kysely'
import { expect, test, vi } from 'vitest'
import {
  cancelDeployment,
  restartApplication,
  rollBackApplication,
  startApplication,
  stopApplication,
} from '../../../contract/deployments.ts'
import { startDeploymentWorker } from '../../../test/support/stages/deployment-worker.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Tables } from '../../tables.ts'
import { changeApplication, findApplication } from '../applications/application.ts'
import { deleteInstance, insertInstance } from '../applications/instance.ts'
import { enqueueDeploy, sealErrors, findDeployment, updateDeployment } from './run/deployment.ts'

// No worker runs here: the tests run the jobs themselves, in an order of their choice.
const stage = await openShopStage('1')
const { slipway, host, server, ctx, db, workspace, member } = stage
const { request, look, instancesOf, makeShop, setEnv, containersOf, visit } = stage
const { work, workToTheEnd } = startDeploymentWorker(slipway, workspace)

const shop = await makeShop('shop.test', { stop_grace_seconds: 1 })
await setEnv(shop, { VERSION: 'one' })
await workToTheEnd((await request(shop)).id)

const asked = { token: member.token, params: { id: shop } }
const operations = {
  restart: async () => (await slipway.ok(restartApplication, asked)).deployment,
  stop: async () => (await slipway.ok(stopApplication, asked)).deployment,
  start: async () => (await slipway.ok(startApplication, asked)).deployment,
  rollBack: async () => (await slipway.ok(rollBackApplication, { ...asked, body: {} })).deployment,
}

const getServer = () =>
  db.selectFrom('servers').selectAll().where('id', '=', server).executeTakeFirstOrThrow()
const setServer = (changes: Updateable<Tables['servers']>) =>
  db.updateTable('servers').set(changes).where('id', '=', server).execute()

/** Starts a deployment and interrupts it at the health check. */
async function beginRelease(version: string) {
  await setEnv(shop, { VERSION: version })
  const { id } = await request(shop)
  await expect(work(id, 1, { diesIn: 'wait' })).rejects.toThrow('lease_lost')
  return id
}

const events = async (type: 'deployment.completed' | 'deployment.failed') =>
  (await db.selectFrom('events').select('detail').where('type', '=', type).orderBy('id').execute()).map(
    ({ detail }) => detail,
  )

test('applies an operation to the release that was being deployed', async () => {
  const two = await beginRelease('two')
  const restart = await operations.restart()
  expect(restart).toMatchObject({ message: 'Restart release 1', release: null })
  await workToTheEnd(two, 2)
  await workToTheEnd(restart.id)
  expect(await look(restart.id)).toMatchObject({
    status: 'completed',
    message: 'Restart release 2',
    release: { number: 2 },
  })
  expect(await visit('shop.test')).toContain('two ')

  const three = await beginRelease('three')
  await request(shop)
  const back = await operations.rollBack()
  await workToTheEnd(three, 2)
  await workToTheEnd(back.id)
  expect(await look(back.id)).toMatchObject({
    message: 'Roll back to release 2',
    data: { tag: 'rig/app:1' },
    release: { number: 2 },
  })
  expect(await visit('shop.test')).toContain('two ')
})

test('stops a release that was still being deployed', async () => {
  const four = await beginRelease('four')
  const stop = await operations.stop()
  expect(await findApplication(db, workspace, shop)).toMatchObject({ wanted: 'running' })
  await workToTheEnd(four, 2)
  await workToTheEnd(stop.id)
  const stopped = await findApplication(db, workspace, shop)
  expect(stopped).toMatchObject({ wanted: 'stopped', release_id: (await look(four)).release?.id })
  expect(await instancesOf(shop)).toMatchObject([{ state: 'stopped', deployment_id: four }])
  expect(await containersOf(shop)).toHaveLength(1)

  // A failed deployment leaves the drain job unchanged.
  const failing = await operations.start()
  await expect(work(failing.id, 1, { diesIn: 'wait' })).rejects.toThrow('lease_lost')
  await updateDeployment(db, workspace, failing.id, {
    errors_sealed: sealErrors(ctx, failing.id, ['It was lost.']),
  })
  await workToTheEnd(failing.id, 2)
  expect(await look(failing.id)).toMatchObject({ status: 'failed' })
  expect(await findApplication(db, workspace, shop)).toEqual(stopped)
  expect(await instancesOf(shop)).toMatchObject([{ state: 'stopped', deployment_id: four }])

  await workToTheEnd((await operations.start()).id)
  expect(await findApplication(db, workspace, shop)).toMatchObject({ wanted: 'running' })
  expect(await visit('shop.test')).toContain('four ')
  expect(await instancesOf(shop)).toMatchObject([{ state: 'serving' }])
})

test('watches a live release although the next deployment starts', async () => {
  const first = await operations.restart()
  await work(first.id)
  const switched = await findDeployment(db, workspace, first.id)
  expect(switched?.watched_until?.getTime()).toBeGreaterThan(Date.now() + 4 * 60_000)
  const second = await operations.restart()
  await expect(work(second.id, 1, { diesIn: 'start' })).rejects.toThrow('lease_lost')
  expect(await findDeployment(db, workspace, first.id)).toMatchObject({
    status: 'completed',
    watched_until: switched?.watched_until,
  })
  expect(await events('deployment.completed')).toHaveLength((await endings()).length)
  // The containers that the first deployment still had to stop are gone.
  expect(await instancesOf(shop)).toMatchObject([{ state: 'serving', deployment_id: first.id }])
  await workToTheEnd(second.id, 2)
  expect(await instancesOf(shop)).toMatchObject([{ state: 'serving', deployment_id: second.id }])
  expect(await containersOf(shop)).toHaveLength(1)
})

const endings = () => db.selectFrom('deployments').select('id').where('status', '=', 'completed').execute()

test('fails if a container exits right before the switch', async () => {
  const before = await instancesOf(shop)
  await setEnv(shop, { VERSION: 'dead' })
  const { id } = await request(shop)
  await expect(work(id, 1, { diesIn: 'switch' })).rejects.toThrow('lease_lost')
  const made = (await instancesOf(shop)).find((one) => one.deployment_id === id)
  await host.exec('docker', 'kill', made?.container_id ?? '')
  await workToTheEnd(id, 2)
  const failed = await look(id)
  expect(failed).toMatchObject({ status: 'failed', release: null })
  expect(failed.errors[0]).toMatch(/exited with code 137/)
  expect(await visit('shop.test')).toContain('four ')
  expect(await instancesOf(shop)).toEqual(before)
})

test('keeps an application running when the proxy rejects the stop', async () => {
  const [serving] = await instancesOf(shop)
  if (!serving) throw new Error('Nothing serves.')
  // A container of the same release, still draining since an earlier deployment.
  const id = newId('instance')
  const old = { ...serving, id, replica: 2, slot: 9, container_id: null, address: '10.99.99.99' }
  await insertInstance(db, { ...old, state: 'draining', drain_until: new Date(Date.now() + 60_000) })
  const { machine } = await getServer()
  await setServer({ machine: null })
  const stop = await operations.stop()
  await work(stop.id)
  expect(await look(stop.id)).toMatchObject({ status: 'failed' })
  expect(await findApplication(db, workspace, shop)).toMatchObject({ wanted: 'running' })
  const states = (await instancesOf(shop)).map((one) => [one.id, one.state])
  expect(Object.fromEntries(states)).toEqual({ [serving.id]: 'serving', [id]: 'draining' })
  await setServer({ machine })
  await deleteInstance(db, workspace, id)
  expect(await visit('shop.test')).toContain('four ')
})

test('reports what a queued deployment waits for', async () => {
  const other = await makeShop()
  const { id, waiting_for } = await request(other)
  expect(waiting_for).toBe('Starting…')
  const worker = 'busy'
  await db.insertInto('workers').values({ id: worker, alive_until: new Date() }).execute()
  const takePlace = async () => {
    const of = {
      workspace_id: workspace,
      application_id: newId('application'),
      server_id: server,
      id,
      type: 'restart_application',
    }
    const job = await transaction(db, (trx) => enqueueDeploy(ctx, trx, of))
    await db.updateTable('jobs').set({ state: 'running', worker }).where('id', '=', job).execute()
  }
  for (let nth = 0; nth < 4; nth++) await takePlace()
  const { name } = await getServer()
  expect((await look(id)).waiting_for).toBe(`Waiting for a free slot: ${name} runs 4 deployments at a time.`)
  await db.deleteFrom('jobs').where('worker', '=', worker).execute()
  await slipway.ok(cancelDeployment, { token: member.token, params: { id } })
  expect(await look(id)).toMatchObject({ status: 'cancelled', waiting_for: null, started_at: null })
})

const stepsOf = ({ steps }: Awaited<ReturnType<typeof look>>) =>
  steps.map(({ name, status }) => `${name} ${status}`)

test('waits for a running setup of the server', async () => {
  await setServer({ status: 'setting_up', http_port_used: 80 })
  const { id } = await operations.restart()
  const working = work(id)
  await vi.waitFor(
    async () => expect((await look(id)).data.logs.join()).toContain('is in progress. Waiting…'),
    { timeout: 120_000 },
  )
  expect(stepsOf(await look(id)).slice(0, 2)).toEqual(['setup running', 'check waiting'])
  await setServer({ status: 'ready' })
  await working
  await workToTheEnd(id)
  const done = await look(id)
  expect(done).toMatchObject({ status: 'completed' })
  expect(stepsOf(done).slice(0, 2)).toEqual(['setup completed', 'check completed'])
})

test('cancels queued deployments of a deleted application, and erases secrets', async () => {
  const { id } = await request(shop)
  await changeApplication(db, workspace, shop, { deleting_at: new Date() })
  await work(id)
  expect(await findDeployment(db, workspace, id)).toMatchObject({ status: 'cancelled' })
  const sealed = db.selectFrom('deployments').select('status').where('env_sealed', 'is not', null)
  expect(await sealed.execute()).toEqual([])
})

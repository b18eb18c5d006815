import { afterAll, expect, test } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { getDelivery, getHook, listDeliveries, redeliver } from '../../../contract/webhooks.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeSomeone, makeWorkspace } from '../../../test/support/factories/factories.ts'
import { openWebhookStage } from '../../../test/support/stages/webhooks.ts'
import { newId } from '../../platform/ids.ts'
import { deleteOldDeliveries, requeueAbandonedDeliveries } from './area.ts'
import { applyDecisions, decideDelivery } from './handle-deliveries.ts'
import { listWaitingDeliveries } from './delivery.ts'

const stage = await openWebhookStage()
afterAll(stage.close)
const {
  github,
  slipway,
  db,
  ctx,
  workspace,
  server,
  token,
  work,
  handled,
  deploymentsOf,
  connectRepository,
} = stage

test('shows a delivery with its payload and processes it again on request', async () => {
  const { name, integration, makeShop } = await connectRepository()
  const shop = await makeShop({ deploy_on: 'nothing' })
  const worker = work()
  const { sent } = await github.push(name)
  const { id } = await handled(shop)
  const { delivery } = await slipway.ok(getDelivery, { token, params: { id } })
  expect(delivery).toMatchObject({
    status: 'ignored',
    payload: sent[0]?.body,
    headers: { 'x-github-event': 'push', 'x-github-delivery': sent[0]?.delivery },
  })
  const viewer = await makeSomeone(db, workspace, 'viewer')
  const seen = await slipway.ok(getDelivery, { token: viewer.token, params: { id } })
  expect(seen.delivery).toEqual({ ...delivery, headers: null, payload: null })
  await db.updateTable('sources').set({ deploy_on: 'push' }).where('application_id', '=', shop).execute()
  const { delivery: again } = await slipway.ok(redeliver, { token, params: { id } })
  expect(again).toMatchObject({ redelivery_of: id, repository: name })
  expect(await handled(shop)).toMatchObject({ id: again.id, status: 'deployed' })
  // Simulates removing and reinstalling the App.
  await db.updateTable('integrations').set({ installation_id: 7 }).where('id', '=', integration).execute()
  const { delivery: late } = await slipway.ok(redeliver, { token, params: { id } })
  await expect
    .poll(async () => (await slipway.ok(getDelivery, { token, params: { id: late.id } })).delivery.outcomes)
    .toMatchObject([
      {
        status: 'ignored',
        summary: expect.stringMatching(/^The GitHub App installation is no longer connected/),
      },
    ])
  await worker.stop()
  const { deliveries } = await slipway.ok(listDeliveries, {
    token,
    query: { application_id: shop, status: 'ignored' },
  })
  expect(deliveries.map((one) => one.id)).toEqual([id])
  const stranger = await makeSomeone(db, await makeWorkspace(db), 'owner')
  await slipway.refused(redeliver, { token: stranger.token, params: { id } }, 404, 'not_found')
})

test('processes deliveries of abandoned jobs and deletes old ones', async () => {
  const { name, makeShop } = await connectRepository()
  const shop = await makeShop()
  await github.push(name)
  await db.deleteFrom('jobs' as never).execute()
  const age = (text: string) =>
    db
      .updateTable('deliveries')
      .set({ received_at: new Date(Date.now() - Number(text) * 1_000) })
      .where('workspace_id', '=', workspace)
      .execute()
  await age('61')
  await requeueAbandonedDeliveries(ctx)
  await requeueAbandonedDeliveries(ctx)
  work()
  expect(await handled(shop)).toMatchObject({ status: 'deployed' })
  expect(await deploymentsOf(shop)).toHaveLength(1)
  await age(String(29 * 86_400))
  await deleteOldDeliveries(ctx, AbortSignal.timeout(60_000))
  expect(await handled(shop)).toBeDefined()
  await age(String(31 * 86_400))
  await deleteOldDeliveries(ctx, AbortSignal.timeout(60_000))
  const { page } = await slipway.ok(listDeliveries, { token })
  expect(page.total).toBe(0)
  expect(await db.selectFrom('outcomes').selectAll().execute()).toEqual([])
})

test('keeps the newest 1,000 handled deliveries of each deploy hook', async () => {
  const [shop, other] = [
    await makeApplication(db, workspace, server),
    await makeApplication(db, workspace, server),
  ]
  const add = async (application_id: Id<'application'>, count: number, status: 'ignored' | 'waiting') => {
    const rows = Array.from({ length: count }, () => {
      const id = newId('delivery')
      const queue = `application:${application_id}`
      const call = { hook: 'deploy' as const, delivery: id, event: 'deploy', payload_sealed: '' }
      return { id, workspace_id: workspace, application_id, queue, status, ...call }
    })
    await db.insertInto('deliveries').values(rows).execute()
    return rows.map(({ id }) => id)
  }
  for (const id of [shop, other]) await slipway.ok(getHook, { token, params: { id } })
  const [waiting] = await add(shop, 1, 'waiting')
  const handledOnes = await add(shop, 1_002, 'ignored')
  await add(other, 3, 'ignored')
  await deleteOldDeliveries(ctx, AbortSignal.timeout(60_000))
  const kept = async (id: Id<'application'>) => {
    const rows = db.selectFrom('deliveries').select('id').where('application_id', '=', id).orderBy('id')
    return (await rows.execute()).map((row) => row.id)
  }
  expect(await kept(shop)).toEqual([waiting, ...handledOnes.slice(2)])
  expect(await kept(other)).toHaveLength(3)
  await db.deleteFrom('deliveries').where('application_id', 'in', [shop, other]).execute()
})

/** Processes the waiting deliveries of an account as a worker in this attempt. */
const by = (installation: { id: number }, attempt = 1) => {
  const decided = async () => {
    const waiting = await listWaitingDeliveries(db, workspace, `installation:${installation.id}`)
    return Promise.all(
      waiting.map(async (one) => ({ id: one.id, decisions: await decideDelivery(ctx, one) })),
    )
  }
  const run = { id: 'job_none' as const, attempt, fence: 1, signal: AbortSignal.timeout(60_000) }
  const carry = async (assertLease = async () => {}) =>
    applyDecisions(ctx, workspace, await decided(), { ...run, assertLease })
  let writes = 0
  /** Dies after requesting the first deployment. */
  const die = () =>
    carry(async () => {
      if (++writes > 1) throw new Error('It died.')
    })
  return { judged: decided, carry, die }
}

test('starts one deployment when the worker dies after requesting it', async () => {
  const { name, installation, makeShop } = await connectRepository()
  const shop = await makeShop()
  await github.push(name)
  const { judged: decided, carry, die } = by(installation)
  await expect(die()).rejects.toThrow('It died.')
  expect(await deploymentsOf(shop)).toHaveLength(1)
  await carry()
  expect(await deploymentsOf(shop)).toHaveLength(1)
  expect(await handled(shop)).toMatchObject({ status: 'deployed', outcomes: [{ status: 'deployed' }] })
  expect(await decided()).toEqual([])
})

const named = async (shop: Id<'application'>, name: string) => {
  await db.updateTable('applications').set({ name }).where('id', '=', shop).execute()
  return shop
}

const saidOf = async (shop: Id<'application'>) =>
  (await handled(shop)).outcomes
    .map(({ application, status, summary }) => `${application?.name}: ${status}, ${summary}`)
    .toSorted()

test('resumes at any of several applications after the worker died', async () => {
  const { name, installation, makeShop } = await connectRepository()
  const first = await named(await makeShop({ deploy_on: 'nothing' }), 'a')
  await named(await makeShop(), 'b')
  await named(await makeShop({ deploy_on: 'nothing' }), 'c')
  await github.push(name)
  const { judged: decided, carry, die } = by(installation)
  await expect(die()).rejects.toThrow('It died.')
  await carry()
  expect(await decided()).toEqual([])
  expect(await saidOf(first)).toEqual([
    expect.stringMatching(/^a: ignored/),
    expect.stringMatching(/^b: deployed/),
    expect.stringMatching(/^c: ignored/),
  ])
})

test('continues with other applications and deliveries when one cannot be deployed', async () => {
  const { name, installation, makeShop } = await connectRepository()
  const broken = await named(await makeShop(), 'a')
  const well = await named(await makeShop(), 'b')
  const of = { workspace_id: workspace, application_id: broken, position: 0 }
  await db
    .insertInto('variables')
    .values({ ...of, id: newId('variable'), key: 'A', value_sealed: 'Nobody can open this.' })
    .execute()
  await github.push(name)
  await expect(by(installation).carry()).rejects.toThrow('Cannot decrypt the secret')
  expect(await deploymentsOf(well)).toHaveLength(1)
  await by(installation, 4).carry()
  expect(await by(installation).judged()).toEqual([])
  expect(await saidOf(broken)).toEqual([
    expect.stringMatching(/^a: failed, Slipway failed to start this deployment/),
    expect.stringMatching(/^b: deployed/),
  ])
  expect(await deploymentsOf(well)).toHaveLength(1)
})

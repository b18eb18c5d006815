import { afterAll, afterEach, expect, test } from 'vitest'
import { getHook, receiveEvent, redeliver } from '../../../contract/webhooks.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import {
  endTrial,
  makeSubscription,
  paidEnv,
  setTrial,
} from '../../../test/support/factories/billing-factories.ts'
import { openWebhookStage } from '../../../test/support/stages/webhooks.ts'

const stage = await openWebhookStage(paidEnv())
afterAll(stage.close)
const { github, slipway, db, workspace, server, token, work, handled, deploymentsOf } = stage

afterEach(async () => {
  await db.deleteFrom('subscriptions').execute()
  await setTrial(db, workspace, new Date(Date.now() + 86_400_000))
})

test('records a push to a workspace whose trial has ended, deploys nothing and gives the reason', async () => {
  const { name, makeShop } = await stage.connectRepository()
  const shop = await makeShop()
  const waiting = await makeShop({ deploy_on: 'nothing' })
  await endTrial(db, workspace)
  work()
  await github.push(name)
  const delivery = await handled(shop)
  expect(delivery.status).toBe('ignored')
  const summary = new Map(delivery.outcomes.map((one) => [one.application?.id, one.summary]))
  expect(summary.get(shop)).toBe(
    'The trial of this workspace has ended, so nothing was deployed. Choose a plan, then redeliver.',
  )
  expect(summary.get(waiting)).toMatch(/^Push to deploy is off for/)
  expect(await deploymentsOf(shop)).toEqual([])
})

test('allows redelivery only once there is a plan', async () => {
  const { name, makeShop } = await stage.connectRepository()
  const shop = await makeShop()
  await endTrial(db, workspace)
  work()
  await github.push(name)
  const { id } = await handled(shop)
  const got = await slipway.refused(redeliver, { token, params: { id } }, 402, 'no_plan')
  expect(got.body).toMatchObject({
    url: expect.stringContaining('/dashboard/billing/choose-plan?workspace='),
  })
  await makeSubscription(db, workspace)
  await slipway.ok(redeliver, { token, params: { id } })
  expect((await handled(shop)).status).toBe('deployed')
  expect(await deploymentsOf(shop)).toHaveLength(1)
})

test('acknowledges a deploy hook but deploys nothing while a payment is overdue for too long', async () => {
  const shop = await makeApplication(db, workspace, server)
  const { hook } = await slipway.ok(getHook, { token, params: { id: shop } })
  const press = () =>
    slipway.call(receiveEvent.key, {
      params: { hook: hook.url.split('/').at(-1) ?? '' },
      headers: { secret: hook.secret },
    })
  await endTrial(db, workspace)
  await makeSubscription(db, workspace, { status: 'past_due' })
  work()
  expect((await press()).status).toBe(202)
  expect((await handled(shop)).status).toBe('deployed')
  const weekAgo = new Date(Date.now() - 7 * 86_400_000)
  await makeSubscription(db, workspace, { status: 'past_due', past_due_since: weekAgo })
  expect((await press()).status).toBe(202)
  expect(await handled(shop)).toMatchObject({
    status: 'ignored',
    outcomes: [{ summary: expect.stringMatching(/^A payment for this workspace is overdue, so/) }],
  })
  expect(await deploymentsOf(shop)).toHaveLength(1)
})

test('completes a deployment requested before the plan ended', async () => {
  const { name, makeShop } = await stage.connectRepository()
  const shop = await makeShop()
  work()
  await github.push(name)
  expect((await handled(shop)).status).toBe('deployed')
  await endTrial(db, workspace)
  expect(await deploymentsOf(shop)).toMatchObject([{ status: 'queued' }])
})

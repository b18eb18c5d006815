import { afterAll, expect, test, vi } from 'vitest'
import { cancelSubscription } from '../../../contract/billing.ts'
import { deleteWorkspace } from '../../../contract/workspaces.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'

const stage = await openBillingStage()
const { stripe, slipway, newYard, settled } = stage
afterAll(stage.close)

const asked = (method: string, path: RegExp) =>
  stripe.requests.filter((one) => one.method === method && path.test(one.path))

test('changes nothing in Stripe after losing the lock', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  const looks = asked('GET', /^\/v1\/subscriptions$/).length
  stripe.slow('GET /v1/subscriptions', Infinity, { times: 1 })
  const pressed = slipway.refused(cancelSubscription, { token: yard.token }, 503, 'database_away')
  await expect.poll(() => asked('GET', /^\/v1\/subscriptions$/).length).toBeGreaterThan(looks)
  const { pool } = slipway.database
  const { rows } = await pool.query<{ pid: number }>(
    "select pid, pg_terminate_backend(pid) from pg_stat_activity where application_name = 'slipway locks' and datname = current_database()",
  )
  const pids = rows.map(({ pid }) => pid)
  const left = () => pool.query('select from pg_stat_activity where pid = any ($1)', [pids])
  await vi.waitFor(async () => expect((await left()).rowCount).toBe(0))
  stripe.heal()
  await pressed
  expect(asked('POST', /^\/v1\/subscriptions/)).toEqual([])
  expect((await yard.cancel()).subscription.cancel_at).not.toBeNull()
})

test('responds with not found when the workspace is deleted while its customer is created', async () => {
  const yard = await newYard()
  const { name } = await yard.shown()
  stripe.slow('POST /v1/customers', Infinity, { times: 1 })
  const created = asked('POST', /^\/v1\/customers$/).length
  const pressed = yard.refused('pro', 404, 'not_found')
  await expect.poll(() => asked('POST', /^\/v1\/customers$/).length).toBeGreaterThan(created)
  await slipway.ok(deleteWorkspace, { token: yard.token, body: { name } })
  stripe.heal()
  await pressed
  await settled()
})

import { afterAll, afterEach, expect, test } from 'vitest'
import * as contract from '../../../contract/billing.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApiToken, makeTeam } from '../../../test/support/factories/factories.ts'

const stage = await openBillingStage()
const { stripe, slipway, db, newYard, settled } = stage
afterAll(stage.close)
afterEach(async () => {
  stripe.heal()
  await stripe.up()
})

const calls = [
  [contract.listPlans, {}],
  [contract.getSubscription, {}],
  [contract.previewChange, { query: { plan_id: 'pro' } }],
  [contract.subscribe, { body: { plan_id: 'pro' } }],
  [contract.confirmSubscription, { body: { session_id: 'cs_1' } }],
  [contract.cancelSubscription, {}],
  [contract.resumeSubscription, {}],
  [contract.openPortal, {}],
] as const

test('disables billing without Stripe keys', async () => {
  const selfHosted = await startSlipway()
  const { owner } = await makeTeam(selfHosted.db)
  const { body: plans } = await selfHosted.call('GET /v1/billing/plans', { token: owner.token })
  expect(plans).toEqual({ plans: [], page: { next: null, total: 0 } })
  const { body: paid } = await selfHosted.call('GET /v1/billing/subscription', { token: owner.token })
  expect(paid).toMatchObject({ subscription: null, on_trial: false })
  for (const [endpoint, sent] of calls.slice(2))
    await selfHosted.refused(endpoint, { token: owner.token, ...sent }, 409, 'integration_off')
  await selfHosted.close()
})

test('allows billing only to owners, and only with a session', async () => {
  const { admin, owner, workspace } = await newYard()
  const { token } = await makeApiToken(db, workspace, owner, { role: 'owner' })
  for (const [endpoint, sent] of calls) {
    if (endpoint.access === 'workspace.read') continue
    await slipway.refused(endpoint, { token: admin.token, ...sent }, 403, 'forbidden')
    if (endpoint.method === 'POST') await slipway.refused(endpoint, { token, ...sent }, 403, 'session_needed')
  }
})

test('lists plans with their limits and the prices from Stripe', async () => {
  const { viewer } = await newYard()
  const { plans } = await slipway.ok(contract.listPlans, { token: viewer.token })
  expect(plans.find(({ id }) => id === 'hobby')).toEqual({
    id: 'hobby',
    name: 'Hobby',
    amount: 900,
    currency: 'usd',
    interval: 'month',
    interval_count: 1,
    limits: { servers: 1, members: 1, retention_days: 7 },
    unavailable_reason: null,
  })
  expect(plans.find(({ id }) => id === 'pro_yearly')).toMatchObject({ amount: 29_000, interval: 'year' })
})

test('shows plan and usage before the first payment', async () => {
  const yard = await newYard()
  expect(await yard.subscription()).toMatchObject({
    subscription: null,
    on_trial: true,
    usage: { servers: 0, members: 4 },
  })
})

test('opens the Stripe portal for the customer of the workspace only', async () => {
  const yard = await newYard()
  await slipway.refused(contract.openPortal, { token: yard.token }, 409, 'no_subscription')
  await yard.buy()
  const { url } = await slipway.ok(contract.openPortal, { token: yard.token })
  const page = await (await fetch(url)).text()
  expect(page).toContain('$29.00')
  expect(page).toContain(`http://slipway.test/dashboard/billing?workspace=${yard.workspace}`)
  expect(page).not.toContain('Cancel subscription')
  await slipway.ok(contract.openPortal, { token: yard.token })
  expect(stripe.state.configurations).toHaveLength(1)
  expect((await yard.auditEvents()).at(-1)).toBe('portal_opened by owner')
})

test('rejects confirming the payment of another workspace or an unknown session', async () => {
  const [theirs, ours] = [await newYard(), await newYard()]
  await theirs.buy()
  await ours.subscribe('pro')
  const session_id = (await theirs.row())?.checkout_id
  for (const id of [session_id, 'cs_test_nothing', '../customers', 'cs_1/../../x'])
    await slipway.refused(
      contract.confirmSubscription,
      { token: ours.token, body: { session_id: id } },
      404,
      'not_found',
    )
})

test('reports an unpaid session as open and a replaced one as expired', async () => {
  const yard = await newYard()
  await yard.subscribe('pro')
  const body = { session_id: (await yard.row())?.checkout_id }
  const confirm = () => slipway.ok(contract.confirmSubscription, { token: yard.token, body })
  expect(await confirm()).toEqual({ state: 'open', subscription: null })
  await yard.subscribe('team')
  expect(await confirm()).toEqual({ state: 'expired', subscription: null })
})

test('creates no subscription for a declined card and one after a second card', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('pro')
  expect(await stripe.pay(url ?? '', { card: '4000 0000 0000 0002' })).toHaveProperty('says')
  await settled()
  expect(await yard.live()).toEqual([])
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  await settled()
  expect(await yard.row()).toMatchObject({ stripe_status: 'active' })
})

test('shows no plan and no limits for an unknown price', async () => {
  const yard = await newYard()
  await yard.buy()
  stripe.addPrice('price_special', { name: 'Special', unit_amount: 1 })
  const [live] = await yard.live()
  const [item] = live?.items ?? []
  if (!item) throw new Error('There is no item.')
  item.price = 'price_special'
  stripe.cancelInPortal(await yard.customer())
  await settled()
  expect(await yard.subscription()).toMatchObject({
    subscription: { plan: null, status: 'active', amount: 1 },
    limits: { servers: null, members: null, retention_days: null },
  })
})

test('reports a wrong key to the owner and in the log without the key', async () => {
  const other = await openBillingStage({ STRIPE_SECRET_KEY: 'sk_test_wrong_and_secret' })
  const yard = await other.newYard()
  const { text } = await yard.refused('pro', 502, 'outside_failed')
  expect(text).toContain('operator')
  expect(text + other.slipway.lines.join('\n')).not.toContain('wrong_and_secret')
  await other.close()
})

test('reports an unknown or inactive price at its plan and to the operator', async () => {
  const other = await openBillingStage()
  const yard = await other.newYard()
  await yard.buy('hobby')
  other.stripe.removePrice('price_team')
  other.stripe.removePrice('price_pro', { archive: true })
  const { plans } = await other.slipway.ok(contract.listPlans, { token: yard.token })
  expect(
    plans.map(({ id, amount, unavailable_reason }) => [id, amount, unavailable_reason !== null]),
  ).toEqual([
    ['pro', null, true],
    ['team', null, true],
    ['hobby', 900, false],
    ['pro_yearly', 29_000, false],
  ])
  expect(other.slipway.lines.join('\n')).toContain('price_team')
  const { text } = await yard.refused('team', 409, 'plan_unavailable')
  expect(text).toContain('The plan Team is unavailable')
  const fresh = await other.newYard()
  await fresh.refused('team', 409, 'plan_unavailable')
  await fresh.refused('pro', 409, 'plan_unavailable')
  expect(await yard.row()).toMatchObject({ plan_id: 'hobby', stripe_status: 'active' })
  await other.close()
})

test('shows plans without prices while Stripe is unreachable', async () => {
  const other = await openBillingStage()
  const { token } = await other.newYard()
  await other.stripe.down()
  const { plans } = await other.slipway.ok(contract.listPlans, { token })
  expect(plans).toHaveLength(4)
  for (const plan of plans)
    expect(plan).toMatchObject({ amount: null, unavailable_reason: expect.any(String) })
  await other.stripe.up()
  await other.close()
})

test('never logs a Stripe key or secret', () => {
  const all = slipway.lines.join('\n')
  expect(all).not.toContain(stripe.env.STRIPE_SECRET_KEY)
  expect(all).not.toContain(stripe.env.STRIPE_WEBHOOK_SECRET)
})

test('cancels again when the idempotency key of an earlier, reverted cancellation is reused', async () => {
  const yard = await newYard()
  await yard.buy()
  const sent = { token: yard.token, headers: { 'idempotency-key': 'once' } }
  await slipway.ok(contract.cancelSubscription, sent)
  await yard.resume()
  await slipway.ok(contract.cancelSubscription, sent)
  expect((await yard.row())?.cancel_at).not.toBeNull()
})

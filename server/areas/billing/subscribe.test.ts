import { afterAll, afterEach, expect, test } from 'vitest'
import { confirmSubscription, subscribe } from '../../../contract/billing.ts'
import { setTrial } from '../../../test/support/factories/billing-factories.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'

const stage = await openBillingStage()
const { stripe, slipway, newYard, settled, pass } = stage
afterAll(stage.close)
afterEach(async () => {
  stripe.heal()
  await stripe.up()
})

test('subscribes a workspace on trial through Stripe Checkout', async () => {
  const yard = await newYard()
  expect(await yard.shown()).toMatchObject({ on_trial: true, subscription: null, billing: true })
  const { url, subscription } = await yard.subscribe('pro')
  expect(subscription).toBeNull()
  const paid = await stripe.pay(url ?? '')
  if (!('to' in paid)) throw new Error(paid.says)
  expect(paid.to).toMatch(
    /^http:\/\/slipway\.test\/dashboard\/billing\/success\?workspace=wsp_\w+&session_id=cs_/,
  )
  const session_id = new URL(paid.to).searchParams.get('session_id')
  const confirmed = await slipway.ok(confirmSubscription, { token: yard.token, body: { session_id } })
  expect(confirmed).toMatchObject({
    state: 'paid',
    subscription: {
      plan: { id: 'pro', name: 'Pro' },
      stripe_status: 'active',
      status: 'active',
      amount: 2_900,
      currency: 'usd',
      interval: 'month',
      cancel_at: null,
    },
  })
  expect(await yard.shown()).toMatchObject({
    on_trial: false,
    subscription: { stripe_status: 'active', status: 'active', plan_name: 'Pro' },
  })
  await settled()
  expect(await yard.live()).toHaveLength(1)
  expect((await yard.auditEvents()).map((one) => one.split(' ')[0])).toEqual([
    'checkout_started',
    'subscribed',
  ])
})

test('charges from the end of the trial when subscribing during it', async () => {
  const yard = await newYard({ trialDays: 10 })
  const { state, subscription } = await yard.buy()
  expect(state).toBe('paid')
  expect(subscription).toMatchObject({ stripe_status: 'active', status: 'trialing' })
  expect(await yard.shown()).toMatchObject({ on_trial: false, subscription: { status: 'trialing' } })
  expect(await yard.paid()).toBe(0)
  await pass({ days: 10, hours: 2 })
  expect(await yard.subscription()).toMatchObject({ subscription: { status: 'active' } })
  expect(await yard.paid()).toBe(2_900)
})

test('replaces a session that charges immediately after the trial was extended', async () => {
  const yard = await newYard()
  const { url: first } = await yard.subscribe('pro')
  await setTrial(stage.db, yard.workspace, new Date((stripe.now() + 30 * 86_400) * 1_000))
  const { url: second } = await yard.subscribe('pro')
  expect(second).not.toBe(first)
  expect(await stripe.pay(first ?? '')).not.toHaveProperty('to')
  expect(await stripe.pay(second ?? '')).toHaveProperty('to')
  expect(await yard.paid()).toBe(0)
})

test('renews after a month', async () => {
  const yard = await newYard()
  await yard.buy('team')
  await pass({ days: 31, hours: 2 })
  expect(await yard.paid()).toBe(19_800)
  expect((await yard.auditEvents()).at(-1)).toBe('renewed by Stripe')
})

test('opens one checkout session for one customer on concurrent requests', async () => {
  const yard = await newYard()
  const [first, second] = await Promise.all([yard.subscribe('pro'), yard.subscribe('pro')])
  expect(first.url).toBe(second.url)
  const customer = await yard.customer()
  expect(stripe.customers.filter(({ metadata }) => metadata['workspace_id'] === yard.workspace)).toHaveLength(
    1,
  )
  expect(stripe.sessions.filter((one) => one.customer === customer)).toHaveLength(1)
  expect(await yard.auditEvents()).toEqual(['checkout_started by owner'])
})

test('expires the session of the previous plan so that only one can be paid', async () => {
  const yard = await newYard()
  const { url: first } = await yard.subscribe('pro')
  const { url: second } = await yard.subscribe('team')
  expect(second).not.toBe(first)
  expect(await stripe.pay(first ?? '')).toHaveProperty('says')
  const { url: again } = await yard.subscribe('pro')
  expect(await stripe.pay(again ?? '')).toHaveProperty('to')
  await settled()
  expect(await yard.row()).toMatchObject({ plan_id: 'pro', stripe_status: 'active' })
})

test('charges nothing more when a session is paid while another plan is chosen', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('pro')
  stripe.webhooks.lose()
  // The session is paid after the open sessions were listed, and before it is expired.
  stripe.slow('POST /v1/checkout/sessions/*/expire', Infinity, { times: 1 })
  const choosing = yard.refused('team', 409, 'paid_meanwhile')
  await stripe.waits('POST /v1/checkout/sessions/*/expire')
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  stripe.heal()
  stripe.webhooks.loseNone()
  await choosing
  expect(await yard.live()).toHaveLength(1)
  expect(await yard.paid()).toBe(2_900)
  expect(await yard.subscribe('team')).toMatchObject({ url: null, subscription: { plan: { id: 'team' } } })
})

test('rejects a plan change when the expected plan is outdated', async () => {
  const yard = await newYard()
  const choose = (plan_id: string, expected_plan_id: string | null) =>
    slipway.call(subscribe.key, { token: yard.token, body: { plan_id, expected_plan_id } })
  await yard.buy('pro')
  for (const seen of [null, 'hobby'])
    expect(await choose('team', seen)).toMatchObject({ status: 409, body: { code: 'paid_meanwhile' } })
  expect(await choose('pro', null)).toMatchObject({ status: 409, body: { code: 'same_plan' } })
  expect(await yard.paid()).toBe(2_900)
  expect(await choose('team', 'pro')).toMatchObject({ status: 200, body: { url: null } })
})

test.each([
  'POST /v1/customers',
  'GET /v1/customers/*',
  'GET /v1/subscriptions',
  'GET /v1/checkout/sessions',
  'POST /v1/checkout/sessions',
])('retries %s after a lost response and creates nothing twice', async (call) => {
  for (const how of [
    { status: 500 as const },
    { status: 'cut' as const },
    { status: 500 as const, times: 9 },
  ]) {
    const yard = await newYard()
    stripe.fail(call, { times: 1, ...how, afterDoing: true })
    const first = await slipway.call(subscribe.key, { token: yard.token, body: { plan_id: 'pro' } })
    stripe.heal()
    expect([200, 502]).toContain(first.status)
    const { url } = await yard.subscribe('pro')
    const customers = stripe.customers.filter(({ metadata }) => metadata['workspace_id'] === yard.workspace)
    expect(customers).toHaveLength(1)
    const open = stripe.sessions.filter((one) => one.customer === customers[0]?.id && one.status === 'open')
    expect(open).toHaveLength(1)
    expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  }
})

test('reports that Stripe is down and subscribes once it is back', async () => {
  const yard = await newYard()
  await stripe.down('refused')
  const refused = await yard.refused('pro', 502, 'outside_failed')
  expect(refused.text).toContain('Stripe')
  await stripe.up()
  await stripe.down('500')
  await yard.refused('pro', 502, 'outside_failed')
  await stripe.up()
  expect((await yard.subscribe('pro')).url).toMatch(/^http/)
})

test('reports that Stripe does not respond in time', async () => {
  const impatient = await openBillingStage({ OUTSIDE_TIMEOUT: '1' })
  const yard = await impatient.newYard()
  impatient.stripe.slow('*', Infinity)
  await yard.refused('pro', 504, 'outside_slow')
  impatient.stripe.heal()
  await impatient.close()
})

test('recovers from an error that Stripe caches for an idempotency key', async () => {
  const yard = await newYard()
  stripe.fail('POST /v1/customers', { status: 500, times: 1, afterDoing: true, isKept: true })
  await yard.refused('pro', 502, 'outside_failed')
  await stripe.advance({ seconds: 61 })
  stripe.fail('POST /v1/checkout/sessions', { status: 500, times: 1, afterDoing: true, isKept: true })
  await yard.refused('pro', 502, 'outside_failed')
  const { url } = await yard.subscribe('pro')
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
})

test('responds with a retry time when Stripe rate-limits', async () => {
  const yard = await newYard()
  stripe.limit(99)
  const { headers } = await yard.refused('pro', 429, 'outside_busy')
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
})

test('rejects an unknown plan as an invalid field', async () => {
  const { token } = await newYard()
  const got = await slipway.call(subscribe.key, { token, body: { plan_id: 'gold' } })
  expect(got).toMatchObject({ status: 422, body: { errors: { plan_id: [expect.any(String)] } } })
})

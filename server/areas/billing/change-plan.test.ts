import { afterAll, afterEach, expect, test } from 'vitest'
import {
  cancelSubscription,
  previewChange,
  resumeSubscription,
  subscribe,
} from '../../../contract/billing.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'
import { connectStripe } from '../../../test/support/fakes/stripe-stage.ts'

const stage = await openBillingStage()
const { stripe, slipway, newYard, settled, pass } = stage
afterAll(stage.close)
afterEach(() => stripe.heal())

test('charges the previewed difference immediately for an upgrade', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  await pass({ days: 10 })
  const { change } = await yard.change('team')
  expect(change).toMatchObject({ plan_id: 'team', currency: 'usd', credit: 0, next_amount: 9_900 })
  expect(change.due_now).toBeGreaterThan(3_000)
  expect(change.due_now).toBeLessThan(7_000)
  const { url, subscription } = await yard.subscribe('team')
  expect(url).toBeNull()
  expect(subscription).toMatchObject({ plan: { id: 'team', name: 'Team' }, amount: 9_900 })
  expect(subscription?.renews_at).toBe(change.next_at)
  expect(Math.abs((await yard.paid()) - 2_900 - change.due_now)).toBeLessThanOrEqual(1)
  await settled()
  expect((await yard.auditEvents()).at(-1)).toBe('plan_changed by owner')
  await yard.refused('team', 409, 'same_plan')
})

test('charges nothing for a downgrade and credits the next payment', async () => {
  const yard = await newYard()
  await yard.buy('team')
  await pass({ days: 10 })
  const { change } = await yard.change('pro')
  expect(change).toMatchObject({ due_now: 0, next_amount: 2_900 })
  expect(change.credit).toBeGreaterThan(3_000)
  await yard.subscribe('pro')
  expect(await yard.paid()).toBe(9_900)
  expect(await yard.row()).toMatchObject({ plan_id: 'pro' })
  await pass({ days: 22 })
  expect(await yard.paid()).toBe(9_900)
})

test('charges a year immediately minus the credit of the month', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  const { change } = await yard.change('pro_yearly')
  expect(change.due_now).toBeGreaterThan(25_000)
  await yard.subscribe('pro_yearly')
  expect(await yard.subscription()).toMatchObject({ subscription: { interval: 'year', amount: 29_000 } })
  expect(Math.abs((await yard.paid()) - 2_900 - change.due_now)).toBeLessThanOrEqual(5)
  expect((await yard.subscription()).subscription?.renews_at?.slice(0, 10)).toBe(change.next_at.slice(0, 10))
})

test('starts a month immediately and keeps the rest of the year as credit', async () => {
  const yard = await newYard()
  await yard.buy('pro_yearly')
  await pass({ days: 30 })
  const { change } = await yard.change('pro')
  expect(change).toMatchObject({ due_now: 0, next_amount: 2_900 })
  expect(change.credit).toBeGreaterThan(20_000)
  const { subscription } = await yard.subscribe('pro')
  expect(subscription?.renews_at?.slice(0, 10)).toBe(change.next_at.slice(0, 10))
  expect(await yard.paid()).toBe(29_000)
})

test('charges nothing for a plan change during the trial', async () => {
  const yard = await newYard({ trialDays: 9 })
  await yard.buy('pro')
  expect(await yard.change('team')).toMatchObject({ change: { due_now: 0, credit: 0, next_amount: 9_900 } })
  await yard.subscribe('team')
  expect(await yard.paid()).toBe(0)
  await pass({ days: 9, hours: 2 })
  expect(await yard.paid()).toBe(9_900)
})

test('keeps the plan and its cancellation when the card is declined', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  await yard.cancel()
  stripe.setCard(await yard.customer(), 'declined')
  const { body } = await yard.refused('team', 409, 'payment_failed')
  expect(body).toMatchObject({
    error: expect.stringContaining('declined'),
    url: 'http://slipway.test/dashboard/billing',
  })
  expect(await yard.row()).toMatchObject({ plan_id: 'pro', stripe_status: 'active' })
  expect((await yard.row())?.cancel_at).not.toBeNull()
  expect(await yard.paid()).toBe(2_900)
})

test('resumes a canceled plan when it is changed', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  await yard.cancel()
  const { subscription } = await yard.subscribe('team')
  expect(subscription).toMatchObject({ plan: { id: 'team' }, cancel_at: null })
  await settled()
  expect(await yard.auditEvents()).toEqual([
    'checkout_started by owner',
    'subscribed by owner',
    'cancelled by owner',
    'plan_changed by owner',
    'resumed by owner',
  ])
})

test('applies and charges a change once for concurrent requests', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  const sent = { token: yard.token, body: { plan_id: 'team' } }
  const answers = await Promise.all([slipway.call(subscribe.key, sent), slipway.call(subscribe.key, sent)])
  expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
  const charged = stripe.invoices.filter((one) => one.billing_reason === 'subscription_update')
  const customer = await yard.customer()
  expect(charged.filter((one) => one.customer === customer)).toHaveLength(1)
})

test('finds a change after a lost response and charges it once', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  stripe.webhooks.lose()
  stripe.fail('POST /v1/subscriptions/*', { status: 500, afterDoing: true })
  await yard.refused('team', 502, 'outside_failed')
  stripe.heal()
  await settled()
  stripe.webhooks.loseNone()
  expect(await yard.row()).toMatchObject({ plan_id: 'team' })
  const customer = await yard.customer()
  const invoices = stripe.invoices.filter((one) => one.customer === customer)
  expect(invoices).toHaveLength(2)
})

test('keeps a canceled plan until the period ends and allows resuming it', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  const { subscription } = await yard.cancel()
  expect(subscription).toMatchObject({ stripe_status: 'active', status: 'active', renews_at: null })
  expect(subscription.cancel_at).not.toBeNull()
  expect(await yard.cancel()).toEqual({ subscription })
  expect(await yard.resume()).toMatchObject({ subscription: { cancel_at: null } })
  expect(await yard.resume()).toMatchObject({ subscription: { cancel_at: null } })
  await yard.cancel()
  await pass({ days: 20 })
  expect(await yard.shown()).toMatchObject({ subscription: { status: 'active' } })
  await pass({ days: 12 })
  expect(await yard.shown()).toMatchObject({ on_trial: false, subscription: { status: 'canceled' } })
  expect(await yard.paid()).toBe(2_900)
  expect((await yard.auditEvents()).at(-1)).toBe('ended by Stripe')
  await slipway.refused(cancelSubscription, { token: yard.token }, 409, 'subscription_ended')
  await slipway.refused(resumeSubscription, { token: yard.token }, 409, 'subscription_ended')
})

test('cancels at the end of the period when Stripe omits the end date', async () => {
  stripe.settings.showsCancelAt = false
  const yard = await newYard()
  await yard.buy('pro')
  const { subscription } = await yard.cancel()
  expect(subscription.cancel_at).toBe((await yard.row())?.period_ends_at?.toISOString())
  expect(await yard.resume()).toMatchObject({ subscription: { cancel_at: null } })
  stripe.settings.showsCancelAt = true
})

test('allows subscribing again after the plan ended', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  stripe.endSubscription(await yard.customer())
  await settled()
  expect(await yard.row()).toMatchObject({ stripe_status: 'canceled' })
  const { subscription } = await yard.buy('team')
  expect(subscription).toMatchObject({ status: 'active', plan: { id: 'team' }, cancel_at: null })
  expect(await yard.live()).toHaveLength(1)
})

test.each(['cancel_at', 'cancel_at_period_end'] as const)(
  'shows and reverts a cancellation made in the portal by %s',
  async (how) => {
    const yard = await newYard()
    await yard.buy('pro')
    stripe.cancelInPortal(await yard.customer(), how)
    await settled()
    expect((await yard.subscription()).subscription?.cancel_at).not.toBeNull()
    expect((await yard.auditEvents()).at(-1)).toBe('cancelled by Stripe')
    expect(await yard.resume()).toMatchObject({ subscription: { cancel_at: null } })
    await pass({ days: 32 })
    expect(await yard.row()).toMatchObject({ stripe_status: 'active' })
  },
)

test('previews a change of a plan canceled to a date, and resumes it', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  stripe.cancelInPortal(await yard.customer(), 'cancel_at')
  await settled()
  const { change } = await yard.change('team')
  expect(change.due_now).toBeGreaterThan(6_000)
  expect(await yard.change('hobby')).toMatchObject({ change: { due_now: 0, next_amount: 900 } })
  const { subscription } = await yard.subscribe('team')
  expect(subscription).toMatchObject({ plan: { id: 'team' }, cancel_at: null })
})

test('includes all earlier prorations of the month in a preview', async () => {
  const yard = await newYard()
  await yard.buy('team')
  for (const plan of ['pro', 'hobby', 'pro', 'hobby', 'pro', 'hobby', 'pro']) {
    // Create prorations that are pending until the next invoice, as changes in the Stripe dashboard do.
    const customer = await yard.customer()
    const record = stripe.subscriptions.find((one) => one.customer === customer)
    if (!record?.items[0]) throw new Error('There is no subscription.')
    await stripe.advance({ hours: 1 })
    await byHand(record.id, record.items[0].id, `price_${plan}`)
  }
  await settled()
  const { change } = await yard.change('hobby')
  await yard.subscribe('hobby')
  const customer = await yard.customer()
  const pending = stripe.subscriptions.find((one) => one.customer === customer)?.pending ?? []
  expect(pending.length).toBeGreaterThan(12)
  const left = -pending.reduce((sum, { amount }) => sum + amount, 0)
  expect(Math.abs(change.credit - left)).toBeLessThanOrEqual(2)
})

/** Changes the price as the operator does in the Stripe dashboard. */
const byHand = (id: string, item: string, price: string) =>
  connectStripe(stripe).subscriptions.update(id, { items: [{ id: item, price }] })

test('refuses a preview while a payment is overdue and links the invoice', async () => {
  const yard = await newYard()
  await yard.buy('pro', '4000 0000 0000 0341')
  await pass({ days: 31, hours: 2 })
  const sent = { token: yard.token, query: { plan_id: 'team' } }
  const { body } = await slipway.refused(previewChange, sent, 409, 'payment_due')
  expect(body).toMatchObject({ url: (await yard.row())?.pay_url })
})

test('limits previews per minute, because each one calls Stripe', async () => {
  const { token } = await newYard()
  const sent = { token, query: { plan_id: 'team' }, address: '198.51.100.9' }
  for (let call = 0; call < previewChange.limit; call++)
    await slipway.refused(previewChange, sent, 409, 'no_subscription')
  await slipway.refused(previewChange, sent, 429, 'too_many')
})

test('rejects cancel, resume and change without a plan', async () => {
  const { token } = await newYard()
  await slipway.refused(cancelSubscription, { token }, 409, 'no_subscription')
  await slipway.refused(resumeSubscription, { token }, 409, 'no_subscription')
  await slipway.refused(previewChange, { token, query: { plan_id: 'pro' } }, 409, 'no_subscription')
})

test('treats a missing card like a declined one', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  const customer = await yard.customer()
  for (const one of stripe.customers) if (one.id === customer) one.card = undefined
  await yard.refused('team', 409, 'payment_failed')
})

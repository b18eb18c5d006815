import type { Stripe } from 'stripe'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openStripeStage } from '../support/fakes/stripe-stage.ts'
import { periodEnd } from '../support/fakes/stripe/proration.ts'

const { fake, sdk, stage } = await openStripeStage()
const day = 86_400

beforeEach(() => {
  fake.settings.afterRetries = 'cancel'
})
afterAll(() => fake.close())

/** Returns the event types of a customer since this position. */
const eventsOf = (customer: string, from = 0) =>
  fake.events
    .slice(from)
    .filter(({ data }) => JSON.stringify(data).includes(customer))
    .map(({ type }) => type)

test('creates a paid subscription from a paid session', async () => {
  const { customer, session, id } = await stage.subscribe({
    client_reference_id: 'wks_1',
    metadata: { a: '1' },
    subscription_data: { metadata: { workspace: 'wks_1' } },
  })
  expect(await stage.read(id)).toMatchObject({
    status: 'active',
    metadata: { workspace: 'wks_1' },
    items: { data: [{ price: { id: 'price_pro' }, quantity: 1 }] },
    cancel_at_period_end: false,
  })
  expect(await stage.read(id)).not.toHaveProperty('current_period_end')
  expect(await sdk.checkout.sessions.retrieve(session)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    subscription: id,
    amount_total: 2900,
    url: null,
    client_reference_id: 'wks_1',
  })
  expect(await stage.newest(id)).toMatchObject({
    status: 'paid',
    amount_paid: 2900,
    billing_reason: 'subscription_create',
  })
  expect(eventsOf(customer)).toEqual([
    'customer.created',
    'customer.updated',
    'invoice.created',
    'customer.subscription.created',
    'invoice.finalized',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
    'checkout.session.completed',
  ])
})

test('creates nothing for a declined card and leaves the session open', async () => {
  const { id: customer } = await sdk.customers.create({})
  const { url, id } = await sdk.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: 'price_pro', quantity: 1 }],
    success_url: 'http://slipway.test/done',
  })
  const says = 'Your card was declined. Please try a different card.'
  expect(await fake.pay(url ?? '', { card: '4000 0000 0000 0002' })).toEqual({ says })
  expect((await sdk.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(0)
  expect(await fake.pay(url ?? '')).toEqual({ to: 'http://slipway.test/done' })
  expect(await fake.pay(url ?? '')).toEqual({ says: 'You’re all done here' })
  expect((await sdk.checkout.sessions.retrieve(id)).status).toBe('complete')
})

test('accepts payments of two sessions of one customer and creates two subscriptions', async () => {
  const { customer } = await stage.subscribe()
  const { url } = await sdk.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: 'price_pro', quantity: 1 }],
    success_url: 'http://slipway.test/done',
  })
  await fake.pay(url ?? '')
  expect((await sdk.subscriptions.list({ customer })).data).toHaveLength(2)
})

test('expires an unpaid session after a day', async () => {
  const { id: customer } = await sdk.customers.create({})
  const { url, id } = await sdk.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: 'price_pro', quantity: 1 }],
    success_url: 'http://slipway.test/done',
  })
  await fake.advance({ hours: 25 })
  expect((await sdk.checkout.sessions.retrieve(id)).status).toBe('expired')
  expect(await fake.pay(url ?? '')).toEqual({ says: 'This checkout session has expired' })
  expect(eventsOf(customer)).toContain('checkout.session.expired')
})

test('charges at the end of a trial', async () => {
  const { id } = await stage.subscribe({ subscription_data: { trial_end: fake.now() + 10 * day } })
  expect(await stage.read(id)).toMatchObject({ status: 'trialing' })
  expect(await stage.newest(id)).toMatchObject({ total: 0, status: 'paid' })
  await fake.advance({ days: 10 })
  expect((await stage.read(id)).status).toBe('active')
  expect((await stage.newest(id)).status).toBe('draft')
  await fake.advance({ hours: 1 })
  expect(await stage.newest(id)).toMatchObject({ status: 'paid', amount_paid: 2900 })
})

test('becomes past due when the card fails, retries, and ends as configured', async () => {
  for (const [after, then] of [
    ['cancel', 'canceled'],
    ['unpaid', 'unpaid'],
    ['past_due', 'past_due'],
  ] as const) {
    fake.settings.afterRetries = after
    const trial = { subscription_data: { trial_end: fake.now() + 3 * day } }
    const { customer, id } = await stage.subscribe(trial, { card: '4000 0000 0000 0341' })
    await fake.advance({ days: 3, hours: 2 })
    expect((await stage.read(id)).status).toBe('past_due')
    expect(await stage.newest(id)).toMatchObject({ status: 'open', attempt_count: 1, amount_remaining: 2900 })
    await fake.advance({ days: 6 })
    expect(await stage.newest(id)).toMatchObject({ attempt_count: 3 })
    await fake.advance({ days: 2 })
    expect((await stage.read(id)).status).toBe(then)
    expect(await stage.newest(id)).toMatchObject({ attempt_count: 4, next_payment_attempt: null })
    expect(eventsOf(customer).filter((type) => type === 'invoice.payment_failed')).toHaveLength(4)
    expect(eventsOf(customer).includes('customer.subscription.deleted')).toBe(after === 'cancel')
  }
})

test('becomes active again once an open invoice is paid on its page', async () => {
  const { customer, id } = await stage.subscribe()
  fake.setCard(customer, 'declined')
  await fake.advance({ days: 32 })
  expect((await stage.read(id)).status).toBe('past_due')
  const { hosted_invoice_url: page } = await stage.newest(id)
  expect(await (await fetch(page ?? '')).text()).toContain('Pay $29.00')
  expect(await fake.pay(page ?? '', { card: '4000 0000 0000 0002' })).toHaveProperty('says')
  expect(await fake.pay(page ?? '')).toHaveProperty('to')
  expect((await stage.read(id)).status).toBe('active')
})

test('renews monthly on the start day with an invoice each', async () => {
  const { id } = await stage.subscribe()
  const first = await stage.periodOf(id)
  await fake.advance({ days: 95 })
  const now = await stage.periodOf(id)
  expect(now.start).toBeGreaterThan(first.end)
  const all = (await sdk.invoices.list({ subscription: id })).data
  expect(all.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'paid'])
})

test('counts months from the start day, even across short months', () => {
  const at = (date: string) => Date.parse(`${date}T12:00:00Z`) / 1000
  const month = { interval: 'month', interval_count: 1 } as const
  expect(periodEnd(at('2027-01-31'), month, at('2027-01-31'))).toBe(at('2027-02-28'))
  expect(periodEnd(at('2027-01-31'), month, at('2027-02-28'))).toBe(at('2027-03-31'))
  expect(periodEnd(at('2028-02-29'), { interval: 'year', interval_count: 1 }, at('2028-03-01'))).toBe(
    at('2029-02-28'),
  )
})

test('charges an upgrade immediately, prorated by the second as previewed', async () => {
  const { id, item } = await stage.subscribe()
  const { end, length } = await stage.periodOf(id)
  await fake.advance({ days: 10 })
  // The clock runs on, so the share counts from the second of the invoice.
  const costOf = ({ lines }: Stripe.Invoice) => {
    const share = (end - (lines.data[0]?.period.start ?? 0)) / length
    return Math.round(9900 * share) - Math.round(2900 * share)
  }
  const proration_behavior = 'always_invoice'
  const change = { items: [{ id: item, price: 'price_team' }], proration_behavior }
  const preview = await sdk.invoices.createPreview({ subscription: id, subscription_details: change })
  expect(preview.amount_due).toBe(costOf(preview))
  expect(preview.lines.data.map(({ parent }) => parent?.subscription_item_details?.proration)).toEqual([
    true,
    true,
  ])
  await sdk.subscriptions.update(id, change)
  const paid = await stage.newest(id)
  expect(paid).toMatchObject({
    status: 'paid',
    amount_paid: costOf(paid),
    billing_reason: 'subscription_update',
  })
  expect((await stage.periodOf(id)).end).toBe(end)
})

test('keeps the credit of a downgrade for the next invoice', async () => {
  const { id, item } = await stage.subscribe({ line_items: [{ price: 'price_team', quantity: 1 }] })
  const { end, length } = await stage.periodOf(id)
  await fake.advance({ days: 10 })
  await sdk.subscriptions.update(id, { items: [{ id: item, price: 'price_hobby' }] })
  expect((await sdk.invoices.list({ subscription: id })).data).toHaveLength(1)
  const next = await sdk.invoices.createPreview({ subscription: id })
  const share = (end - (next.lines.data[0]?.period.start ?? 0)) / length
  const credit = Math.round(900 * share) - Math.round(9900 * share)
  expect(next.total).toBe(credit + 900)
  await fake.advance({ days: 32 })
  const cycle = (await sdk.invoices.list({ subscription: id })).data.find(
    ({ total }) => total === credit + 900,
  )
  expect(cycle).toMatchObject({ status: 'paid', amount_paid: 0, ending_balance: credit + 900 })
})

test('starts and charges a new period immediately when the interval changes', async () => {
  const { id, item } = await stage.subscribe()
  await sdk.subscriptions.update(id, { items: [{ id: item, price: 'price_pro_yearly' }] })
  expect((await stage.periodOf(id)).length).toBeGreaterThanOrEqual(365 * day)
  expect(await stage.newest(id)).toMatchObject({ total: 29_000 - 2900, status: 'paid' })
})

test('rejects the payment of a session whose customer was deleted', async () => {
  const { id: customer } = await sdk.customers.create({})
  const { url } = await stage.newSession(customer)
  fake.deleteCustomer(customer)
  const before = fake.subscriptions.length
  expect(await fake.pay(url ?? '')).toEqual({ says: 'This checkout session has expired' })
  expect(fake.subscriptions).toHaveLength(before)
})

import type { Stripe } from 'stripe'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openStripeStage } from '../support/fakes/stripe-stage.ts'

const { fake, sdk, stage } = await openStripeStage()
const day = 86_400

beforeEach(() => fake.heal())
afterAll(() => fake.close())

test('changes nothing when an upgrade cannot be paid with error_if_incomplete', async () => {
  const { customer, id, item } = await stage.subscribe()
  const before = await stage.read(id)
  const made = fake.invoices.length
  const upgrade = {
    items: [{ id: item, price: 'price_team' }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'error_if_incomplete',
  } satisfies Stripe.SubscriptionUpdateParams
  fake.setCard(customer, 'declined')
  await expect(sdk.subscriptions.update(id, upgrade)).rejects.toMatchObject({
    statusCode: 402,
    type: 'StripeCardError',
    code: 'card_declined',
    decline_code: 'generic_decline',
  })
  fake.setCard(customer, 'needs_action')
  await expect(sdk.subscriptions.update(id, upgrade)).rejects.toMatchObject({
    statusCode: 402,
    code: 'subscription_payment_intent_requires_action',
  })
  expect(await stage.read(id)).toEqual(before)
  expect(fake.invoices).toHaveLength(made)
  fake.setCard(customer, 'ok')
  const after = await sdk.subscriptions.update(id, upgrade)
  expect(after.items.data).toMatchObject([{ id: item, price: { id: 'price_team' } }])
})

test('changes the plan and becomes past due when the payment fails by default', async () => {
  const { customer, id, item } = await stage.subscribe()
  fake.setCard(customer, 'declined')
  const items = [{ id: item, price: 'price_team' }]
  const after = await sdk.subscriptions.update(id, { items, proration_behavior: 'always_invoice' })
  expect(after).toMatchObject({ status: 'past_due', items: { data: [{ price: { id: 'price_team' } }] } })
})

test('keeps a pending update until it is paid with pending_if_incomplete', async () => {
  const { customer, id, item } = await stage.subscribe()
  fake.setCard(customer, 'declined')
  const held = await sdk.subscriptions.update(id, {
    items: [{ id: item, price: 'price_team' }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
  expect(held).toMatchObject({ status: 'active', items: { data: [{ price: { id: 'price_pro' } }] } })
  expect(held.pending_update?.subscription_items).toMatchObject([{ price: { id: 'price_team' } }])
  fake.setCard(customer, 'ok')
  await fake.pay((await stage.newest(id)).hosted_invoice_url ?? '')
  expect(await stage.read(id)).toMatchObject({
    pending_update: null,
    items: { data: [{ price: { id: 'price_team' } }] },
  })
})

test('adds an item when the update does not name the existing one', async () => {
  const { id } = await stage.subscribe()
  const added = await sdk.subscriptions.update(id, { items: [{ price: 'price_team' }] })
  expect(added.items.data.map(({ price }) => price.id)).toEqual(['price_pro', 'price_team'])
  await expect(
    sdk.subscriptions.update(id, { items: [{ id: 'si_none', price: 'price_team' }] }),
  ).rejects.toMatchObject({
    code: 'resource_missing',
    param: 'items[0][id]',
  })
  await expect(sdk.subscriptions.update(id, { items: [{ price: 'price_none' }] })).rejects.toMatchObject({
    param: 'items[0][price]',
    message: "No such price: 'price_none'",
  })
})

test('changes the plan of a trial without an invoice', async () => {
  const { id, item } = await stage.subscribe({ subscription_data: { trial_end: fake.now() + 10 * day } })
  await sdk.subscriptions.update(id, {
    items: [{ id: item, price: 'price_team' }],
    proration_behavior: 'always_invoice',
  })
  expect(await stage.newest(id)).toMatchObject({ billing_reason: 'subscription_create', total: 0 })
})

test('cancels at the end of the period and can be resumed until then', async () => {
  const { customer, id } = await stage.subscribe()
  const { end } = await stage.periodOf(id)
  expect(await sdk.subscriptions.update(id, { cancel_at_period_end: true })).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
    cancel_at: end,
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect(await sdk.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
  })
  fake.cancelInPortal(customer, 'cancel_at')
  expect(await stage.read(id)).toMatchObject({ cancel_at_period_end: false, cancel_at: end })
  expect((await sdk.subscriptions.update(id, { cancel_at_period_end: false })).cancel_at).toBe(end)
  await expect(sdk.subscriptions.update(id, { cancel_at: '', cancel_at_period_end: false })).rejects.toThrow(
    'only specify one',
  )
  expect((await sdk.subscriptions.update(id, { cancel_at: '' })).cancel_at).toBeNull()
  fake.cancelInPortal(customer, 'cancel_at_period_end')
  await fake.advance({ days: 32 })
  expect(await stage.read(id)).toMatchObject({ status: 'canceled', ended_at: end })
  expect((await sdk.invoices.list({ subscription: id })).data).toHaveLength(1)
  expect((await sdk.subscriptions.list({ customer })).data).toHaveLength(0)
  expect((await sdk.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1)
})

test('rejects changes of an ended subscription and still returns it', async () => {
  const { customer, id } = await stage.subscribe()
  expect((await sdk.subscriptions.cancel(id)).status).toBe('canceled')
  await expect(sdk.subscriptions.cancel(id)).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  })
  await expect(sdk.subscriptions.update(id, { cancel_at_period_end: true })).rejects.toThrow(
    'A canceled subscription',
  )
  await expect(sdk.invoices.createPreview({ subscription: id })).rejects.toMatchObject({
    code: 'invoice_upcoming_none',
  })
  const other = await stage.subscribe()
  fake.deleteCustomer(other.customer)
  expect(await stage.read(other.id)).toMatchObject({ status: 'canceled', customer: other.customer })
  const third = await stage.subscribe()
  fake.endSubscription(third.id)
  expect((await stage.read(third.id)).status).toBe('canceled')
  expect(customer).not.toBe(third.customer)
})

test('adds tax where it is collected, except for businesses with a tax ID', async () => {
  const more: Partial<Stripe.Checkout.SessionCreateParams> = {
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    customer_update: { address: 'auto', name: 'auto' },
  }
  const german = await stage.subscribe(more, { country: 'DE' })
  expect(await stage.newest(german.id)).toMatchObject({
    subtotal: 2900,
    total: 3451,
    total_taxes: [{ amount: 551 }],
  })
  expect(await sdk.customers.retrieve(german.customer)).toMatchObject({
    address: { country: 'DE' },
    name: 'Ada Buyer',
  })
  const business = await stage.subscribe(more, { country: 'DE', tax_id: 'DE123456789' })
  expect(await stage.newest(business.id)).toMatchObject({ total: 2900, total_taxes: [] })
})

test('voids only open invoices', async () => {
  const { customer, id } = await stage.subscribe()
  await expect(sdk.invoices.voidInvoice((await stage.newest(id)).id)).rejects.toMatchObject({
    statusCode: 400,
  })
  fake.setCard(customer, 'declined')
  await fake.advance({ days: 32 })
  const { id: open } = await stage.newest(id)
  expect(await sdk.invoices.voidInvoice(open)).toMatchObject({ status: 'void', amount_remaining: 0 })
})

test('omits cancel_at when configured so, and still ends with the period', async () => {
  fake.settings.showsCancelAt = false
  const { id } = await stage.subscribe()
  const said = await sdk.subscriptions.update(id, { cancel_at_period_end: true })
  expect(said).toMatchObject({ cancel_at_period_end: true, cancel_at: null })
  await fake.advance({ days: 32 })
  expect((await stage.read(id)).status).toBe('canceled')
  fake.settings.showsCancelAt = true
})

test('discards a pending update that is not paid within 23 hours', async () => {
  const { customer, id, item } = await stage.subscribe()
  fake.setCard(customer, 'declined')
  await sdk.subscriptions.update(id, {
    items: [{ id: item, price: 'price_team' }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
  await fake.advance({ hours: 24 })
  expect(await stage.read(id)).toMatchObject({
    pending_update: null,
    status: 'active',
    items: { data: [{ price: { id: 'price_pro' } }] },
  })
  expect((await stage.newest(id)).status).toBe('void')
})

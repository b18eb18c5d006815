import type { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectStripe, stripeStage } from '../support/fakes/stripe-stage.ts'
import { startFakeStripe, type FakeStripe } from '../support/fakes/stripe.ts'

let fake: FakeStripe
let sdk: Stripe
let stage: ReturnType<typeof stripeStage>

beforeAll(async () => {
  fake = await startFakeStripe()
  sdk = connectStripe(fake)
  stage = stripeStage(fake, sdk)
})
afterAll(() => fake.close())

const upgrade = (item: string, price = 'price_team') =>
  ({
    items: [{ id: item, price }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  }) satisfies Stripe.SubscriptionUpdateParams

test('allows only payable changes and cancel_at_period_end in a pending update', async () => {
  const { customer, id, item } = await stage.subscribe()
  fake.setCard(customer, 'needs_action')
  await sdk.subscriptions.update(id, { cancel_at_period_end: true })
  await expect(sdk.subscriptions.update(id, { ...upgrade(item), cancel_at: '' })).rejects.toMatchObject({
    statusCode: 400,
    param: 'cancel_at',
  })
  const held = await sdk.subscriptions.update(id, { ...upgrade(item), cancel_at_period_end: false })
  expect(held).toMatchObject({
    cancel_at_period_end: true,
    pending_update: { cancel_at_period_end: false, subscription_items: [{ price: { id: 'price_team' } }] },
  })
  await fake.pay((await stage.newest(id)).hosted_invoice_url ?? '')
  expect(await stage.read(id)).toMatchObject({
    cancel_at: null,
    cancel_at_period_end: false,
    pending_update: null,
    items: { data: [{ price: { id: 'price_team' } }] },
  })
})

test('discards a pending update when its invoice is voided or another one replaces it', async () => {
  const { customer, id, item } = await stage.subscribe()
  fake.setCard(customer, 'needs_action')
  await sdk.subscriptions.update(id, upgrade(item))
  const first = await stage.newest(id)
  await sdk.invoices.voidInvoice(first.id)
  expect((await stage.read(id)).pending_update).toBeNull()
  await sdk.subscriptions.update(id, upgrade(item))
  const second = await stage.newest(id)
  const held = await sdk.subscriptions.update(id, upgrade(item, 'price_pro_yearly'))
  expect(held.pending_update?.subscription_items).toMatchObject([{ price: { id: 'price_pro_yearly' } }])
  expect((await sdk.invoices.retrieve(second.id)).status).toBe('void')
})

test('expires a pending update at the end of the period', async () => {
  const { customer, id, item } = await stage.subscribe()
  const { end } = await stage.periodOf(id)
  await fake.advance({ seconds: end - fake.now() - 12 * 3_600 })
  fake.setCard(customer, 'needs_action')
  const held = await sdk.subscriptions.update(id, upgrade(item))
  expect(held.pending_update?.expires_at).toBe(end)
})

test('accepts a price in another currency only with an amount in the current one', async () => {
  fake.addPrice('price_euro', { currency: 'eur', unit_amount: 5_000 })
  fake.addPrice('price_both', { currency: 'eur', unit_amount: 5_000, currency_options: { usd: 6_000 } })
  const { id, item } = await stage.subscribe()
  const refused = { statusCode: 400, message: expect.stringContaining('only supports `eur`') }
  const items = [{ id: item, price: 'price_euro' }]
  await expect(sdk.subscriptions.update(id, { items })).rejects.toMatchObject(refused)
  const preview = { subscription: id, subscription_details: { items } }
  await expect(sdk.invoices.createPreview(preview)).rejects.toMatchObject(refused)
  await sdk.subscriptions.update(id, {
    items: [{ id: item, price: 'price_both' }],
    proration_behavior: 'always_invoice',
  })
  expect(await stage.newest(id)).toMatchObject({ currency: 'usd', status: 'paid' })
  expect((await stage.newest(id)).total).toBeGreaterThan(3_000)
  const shown = await sdk.prices.retrieve('price_both')
  expect(shown.currency_options).toBeUndefined()
  const expanded = await sdk.prices.retrieve('price_both', { expand: ['currency_options'] })
  expect(expanded.currency_options).toMatchObject({
    eur: { unit_amount: 5_000 },
    usd: { unit_amount: 6_000 },
  })
})

test('returns ten lines of an invoice and pages the others', async () => {
  const { id, item } = await stage.subscribe()
  for (const price of ['price_team', 'price_pro', 'price_team', 'price_pro', 'price_team'])
    await sdk.subscriptions.update(id, { items: [{ id: item, price }] })
  const { id: preview, lines } = await sdk.invoices.createPreview({ subscription: id })
  expect(lines).toMatchObject({ has_more: true, data: { length: 10 } })
  const all = await sdk.invoices.listLineItems(preview, { limit: 4 }).autoPagingToArray({ limit: 100 })
  expect(all).toHaveLength(11)
  expect(all.slice(0, 10)).toEqual(lines.data)
})

import { afterAll, expect, test } from 'vitest'
import { listPlans } from '../../../contract/billing.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'
import { newId } from '../../../test/support/fakes/stripe/state.ts'

const PLANS = JSON.stringify([
  { id: 'hobby', name: 'Hobby', price: 'price_hobby', servers: 1 },
  {
    id: 'pro',
    name: 'Pro',
    price: 'price_pro_2027',
    former_prices: ['price_pro', 'price_pro_2025'],
    servers: 10,
  },
  { id: 'team', name: 'Team', price: 'price_team' },
  { id: 'euro', name: 'Euro', price: 'price_euro' },
  { id: 'both', name: 'Both', price: 'price_both' },
  { id: 'rupiah', name: 'Rupiah', price: 'price_rupiah' },
])
const stage = await openBillingStage({ PLANS })
const { stripe, slipway, newYard, settled } = stage
stripe.addPrice('price_pro_2027', { unit_amount: 3_900 })
stripe.addPrice('price_euro', { currency: 'eur', unit_amount: 5_000 })
stripe.addPrice('price_both', { unit_amount: 4_000, currency_options: { eur: 3_700 } })
stripe.addPrice('price_rupiah', { currency: 'idr', unit_amount: 45_000_000_000 })
stripe.addPrice('price_support', { unit_amount: 100_000 })
afterAll(stage.close)

type Yard = Awaited<ReturnType<typeof newYard>>

async function recordOf(yard: Yard) {
  const customer = await yard.customer()
  const found = stripe.subscriptions.find((one) => one.customer === customer)
  if (!found) throw new Error('There is no subscription.')
  return found
}

/** Sells a price in the Stripe dashboard, beside the plan or instead of it. */
async function sell(yard: Yard, price: string, { beside }: { beside: boolean }) {
  const { items } = await recordOf(yard)
  const [first] = items
  if (!first) throw new Error('There is no item.')
  if (beside) items.unshift({ ...first, id: newId('si', 14), price })
  else first.price = price
}

const offered = async ({ token }: Yard, id: string) =>
  (await slipway.ok(listPlans, { token })).plans.find((one) => one.id === id)

test('recognizes the plan beside other items and keeps them on a change', async () => {
  const yard = await newYard()
  await yard.buy('hobby')
  await sell(yard, 'price_support', { beside: true })
  expect((await yard.change('team')).change).toMatchObject({ next_amount: 9_900 })
  expect(await yard.row()).toMatchObject({ plan_id: 'hobby', amount: 900 })
  await yard.subscribe('team')
  expect((await recordOf(yard)).items.map(({ price }) => price)).toEqual(['price_support', 'price_team'])
  expect(await yard.row()).toMatchObject({ plan_id: 'team', amount: 9_900 })
})

test('keeps plan, limits and amount of a customer on an older price', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  const emitted = await yard.auditEvents()
  await sell(yard, 'price_pro', { beside: false })
  await yard.change('team')
  expect(await yard.row()).toMatchObject({ plan_id: 'pro', amount: 2_900 })
  expect(await yard.subscription()).toMatchObject({ limits: { servers: 10 } })
  expect(await yard.shown()).toMatchObject({ subscription: { plan_name: 'Pro' } })
  expect(await yard.auditEvents()).toEqual(emitted)
  await yard.refused('pro', 409, 'same_plan')
  await yard.subscribe('team')
  expect(await yard.row()).toMatchObject({ plan_id: 'team' })
})

test('marks a plan in another currency as unavailable and rejects it', async () => {
  const yard = await newYard()
  expect(await offered(yard, 'euro')).toMatchObject({
    amount: 5_000,
    currency: 'eur',
    unavailable_reason: null,
  })
  await yard.buy('hobby')
  const { body } = await yard.refused('euro', 409, 'other_currency')
  expect(body).toMatchObject({ error: expect.stringMatching(/EUR.*USD.*Cancel/) })
  expect(await offered(yard, 'euro')).toMatchObject({ unavailable_reason: expect.stringMatching(/EUR.*USD/) })
  expect(await offered(yard, 'both')).toMatchObject({
    amount: 4_000,
    currency: 'usd',
    unavailable_reason: null,
  })
  expect(await yard.row()).toMatchObject({ plan_id: 'hobby' })
})

test('shows the amount in the currency of the customer', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('both')
  expect(await stripe.pay(url ?? '', { country: 'DE' })).toHaveProperty('to')
  await settled()
  expect((await yard.subscription()).subscription).toMatchObject({ amount: 3_700, currency: 'eur' })
  expect(await offered(yard, 'both')).toMatchObject({ amount: 3_700, currency: 'eur' })
  expect((await yard.change('euro')).change).toMatchObject({ currency: 'eur', next_amount: 5_000 })
  await yard.refused('team', 409, 'other_currency')
  await yard.subscribe('euro')
  expect(await yard.row()).toMatchObject({ plan_id: 'euro', amount: 5_000, currency: 'eur' })
})

test('accepts an amount of eleven digits', async () => {
  const yard = await newYard()
  await yard.buy('rupiah')
  expect((await yard.subscription()).subscription).toMatchObject({ amount: 45_000_000_000, currency: 'idr' })
})

import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { receiveEvent } from '../../../contract/webhooks.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'

const stage = await openBillingStage()
const { stripe, slipway, db, newYard, settled } = stage
afterAll(stage.close)
afterEach(() => stripe.webhooks.loseNone())

/** Creates a workspace that paid while webhooks were held back, and returns the events. */
async function paidUnheard() {
  const yard = await newYard()
  const { url } = await yard.subscribe('pro')
  await settled()
  stripe.webhooks.lose()
  const before = stripe.events.length
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  stripe.webhooks.loseNone()
  return { yard, events: stripe.events.slice(before) }
}

const eventsKept = async () =>
  (await sql<{ count: number }>`select count(*)::integer as count from stripe_events`.execute(db)).rows[0]
    ?.count

test('refreshes the subscription from Stripe on an event', async () => {
  const { yard, events } = await paidUnheard()
  const created = events.find(({ type }) => type === 'customer.subscription.created')
  expect(await stripe.webhooks.retry(created?.id ?? '')).toMatchObject({
    status: 202,
    answer: '{"success":true}',
  })
  await settled()
  expect(await yard.row()).toMatchObject({ stripe_status: 'active', plan_id: 'pro' })
})

test('rejects wrong, expired, missing and mismatched signatures without calling Stripe', async () => {
  const { yard, events } = await paidUnheard()
  const [event] = events
  if (!event) throw new Error('No notification was sent.')
  const [kept, asked] = [await eventsKept(), stripe.requests.length]
  const old = Math.floor(Date.now() / 1_000) - 301
  const wrong = [
    await stripe.webhooks.post(event, { secret: 'whsec_another' }),
    await stripe.webhooks.post(event, { timestamp: old }),
    await stripe.webhooks.post(event, { headers: { 'stripe-signature': '' } }),
    await stripe.webhooks.post(event, { headers: { 'stripe-signature': 't=1,v1=00' } }),
    await stripe.webhooks.post(event, { headers: { 'stripe-signature': 'nonsense' } }),
    // The signature belongs to another body.
    await stripe.webhooks.post(
      { ...event, type: 'customer.deleted' },
      { headers: { 'stripe-signature': stripe.webhooks.sign(event) } },
    ),
  ]
  for (const one of wrong)
    expect(one).toMatchObject({ status: 401, answer: expect.stringContaining('wrong_secret') })
  await settled()
  expect(await eventsKept()).toBe(kept)
  expect(stripe.requests.length).toBe(asked)
  expect(await yard.row()).toMatchObject({ stripe_status: null })
  expect(slipway.lines.join('\n')).not.toContain(stripe.env.STRIPE_WEBHOOK_SECRET)
})

test('reaches the same state with reversed and repeated events', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('pro')
  stripe.webhooks.hold()
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  await stripe.advance({ days: 31, hours: 2 })
  stripe.cancelInPortal(await yard.customer())
  await stripe.advance({ days: 32 })
  stripe.webhooks.release({ reversed: true })
  await settled()
  const row = await yard.row()
  const emitted = await yard.auditEvents()
  expect(row).toMatchObject({ stripe_status: 'canceled' })
  await stripe.webhooks.repeat()
  await settled()
  expect(await yard.auditEvents()).toEqual(emitted)
  // Some of the first events arrived before the customer was known, so they are processed now.
  expect(await yard.row()).toEqual({ ...row, seen_at: expect.any(Date) })
})

test('processes a repeated event once', async () => {
  const { events } = await paidUnheard()
  const id = events.find(({ type }) => type === 'customer.subscription.created')?.id ?? ''
  await stripe.webhooks.retry(id)
  await settled()
  const asked = stripe.requests.length
  expect(await stripe.webhooks.retry(id)).toMatchObject({ status: 202 })
  await settled()
  expect(stripe.requests.length).toBe(asked)
})

test('does not trust the payload: an event about an unpaid plan grants none', async () => {
  const yard = await newYard()
  await yard.subscribe('pro')
  await settled()
  const customer = await yard.customer()
  const object = { object: 'subscription', id: 'sub_forged', customer, status: 'active' }
  const forged = {
    id: 'evt_forged',
    object: 'event',
    type: 'customer.subscription.created',
    data: { object },
  }
  expect(await stripe.webhooks.post(forged)).toMatchObject({ status: 202 })
  await settled()
  expect(await yard.row()).toMatchObject({ subscription_id: null, stripe_status: null })
})

test('accepts and ignores events of unknown customers and other objects', async () => {
  const kept = await eventsKept()
  const data = { object: { object: 'subscription', id: 'sub_1', customer: 'cus_of_another_shop' } }
  const others = [
    { id: 'evt_1', object: 'event', type: 'customer.subscription.created', data },
    {
      id: 'evt_2',
      object: 'event',
      type: 'product.updated',
      data: { object: { object: 'product', id: 'p' } },
    },
    {
      id: 'evt_3',
      object: 'event',
      type: 'customer.created',
      data: { object: { object: 'customer', id: 'c' } },
    },
  ]
  for (const event of others) expect(await stripe.webhooks.post(event)).toMatchObject({ status: 202 })
  expect(await eventsKept()).toBe(kept)
})

test('rejects a signed body that is no event as unreadable', async () => {
  for (const body of [
    '[]',
    'null',
    '"x"',
    '{}',
    '{"id":1,"data":null}',
    '{"id":"evt_9","data":{"object":null}}',
    '\u0000',
  ]) {
    const { status } = await stripe.webhooks.post({}, { body })
    expect([body, status]).toEqual([body, 400])
  }
})

test('keeps events while Stripe is unreachable and processes them later', async () => {
  const { yard, events } = await paidUnheard()
  const id = events.find(({ type }) => type === 'customer.subscription.created')?.id ?? ''
  await stripe.down('500')
  expect(await stripe.webhooks.retry(id)).toMatchObject({ status: 202 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  await stripe.up()
  await settled()
  expect(await yard.row()).toMatchObject({ stripe_status: 'active' })
})

test('has no Stripe webhook without billing', async () => {
  const selfHosted = await startSlipway()
  const sent = { params: { hook: 'stripe' }, raw: '{}', headers: { 'stripe-signature': 't=1,v1=00' } }
  await selfHosted.refused(receiveEvent, sent, 409, 'integration_off')
  await selfHosted.close()
})

import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Stripe } from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { urlOf } from '../support/programs/port.ts'
import { connectStripe, stripeStage } from '../support/fakes/stripe-stage.ts'
import { startFakeStripe, type FakeStripe } from '../support/fakes/stripe.ts'

let fake: FakeStripe
let sdk: Stripe
let stage: ReturnType<typeof stripeStage>
/** Received events with a valid signature. */
let arrived: Stripe.Event[] = []
let answers: number[] = []

const receiver = createServer({ keepAliveTimeout: 3_600_000 }, (request, response) => {
  void text(request).then((body) => {
    const status = answers.shift()
    if (status !== undefined) return response.writeHead(status).end()
    try {
      arrived.push(
        sdk.webhooks.constructEvent(
          body,
          request.headers['stripe-signature'] ?? '',
          fake.env.STRIPE_WEBHOOK_SECRET,
        ),
      )
      return response.writeHead(200).end()
    } catch (error) {
      return response.writeHead(400).end(String(error))
    }
  })
})

beforeAll(async () => {
  fake = await startFakeStripe()
  sdk = connectStripe(fake)
  stage = stripeStage(fake, sdk)
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  fake.webhooks.sendTo(urlOf(receiver))
})
beforeEach(async () => {
  await fake.webhooks.settled()
  arrived = []
  answers = []
  fake.webhooks.sent.length = 0
})
afterAll(async () => {
  await fake.webhooks.settled()
  await fake.close()
  await new Promise((resolve) => receiver.close(resolve))
})

const types = () => arrived.map(({ type }) => type)

test('sends signed events in order with the state of their time', async () => {
  const { id } = await stage.subscribe()
  await fake.webhooks.settled()
  expect(types()).toEqual(fake.events.slice(-arrived.length).map(({ type }) => type))
  const created = arrived.find(({ type }) => type === 'customer.subscription.created')
  expect(created).toMatchObject({
    data: { object: { id, status: 'incomplete' } },
    api_version: '2026-10-28.endive',
  })
  const updated = arrived.find(({ type }) => type === 'customer.subscription.updated')
  expect(updated).toMatchObject({
    data: { object: { status: 'active' }, previous_attributes: { status: 'incomplete' } },
  })
})

test('retries rejected events, also on request', async () => {
  answers = [500, 503]
  await sdk.customers.create({ name: 'Tried' })
  await fake.webhooks.settled()
  expect(fake.webhooks.sent.map(({ status }) => status)).toEqual([500, 503, 200])
  const [first] = arrived
  expect(await fake.webhooks.retry(first?.id ?? '')).toMatchObject({ status: 200 })
  await fake.webhooks.repeat()
  expect(arrived.map(({ id }) => id)).toEqual([first?.id, first?.id, first?.id])
})

test('delays, reorders and loses events', async () => {
  fake.webhooks.hold()
  for (const name of ['one', 'two', 'three']) await sdk.customers.create({ name })
  await fake.webhooks.settled()
  expect(arrived).toHaveLength(0)
  fake.webhooks.release({ reversed: true })
  await fake.webhooks.settled()
  expect(arrived.map(({ data }) => 'name' in data.object && data.object.name)).toEqual([
    'three',
    'two',
    'one',
  ])
  fake.webhooks.lose()
  await sdk.customers.create({ name: 'lost' })
  fake.webhooks.loseNone()
  await sdk.customers.create({ name: 'found' })
  await fake.webhooks.settled()
  expect(arrived.slice(3)).toMatchObject([{ data: { object: { name: 'found' } } }])
})

test('posts events with wrong, expired and missing signatures', async () => {
  await sdk.customers.create({})
  await fake.webhooks.settled()
  const event = fake.events.at(-1) ?? {}
  const { post } = fake.webhooks
  expect(await post(event)).toMatchObject({ status: 200 })
  expect(await post(event, { secret: 'whsec_other' })).toMatchObject({ status: 400 })
  expect(await post(event, { timestamp: Math.floor(Date.now() / 1000) - 301 })).toMatchObject({ status: 400 })
  expect(await post(event, { headers: { 'stripe-signature': '' } })).toMatchObject({ status: 400 })
})

test('opens the portal only with a configuration', async () => {
  const { customer } = await stage.subscribe()
  await expect(sdk.billingPortal.sessions.create({ customer })).rejects.toThrow(
    'create your default by saving your customer portal settings',
  )
  const { id: configuration } = await sdk.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      subscription_cancel: { enabled: true },
    },
  })
  await expect(sdk.billingPortal.sessions.create({ customer })).rejects.toThrow('No configuration provided')
  const session = await sdk.billingPortal.sessions.create({
    customer,
    configuration,
    return_url: 'http://slipway.test/back',
  })
  const page = await (await fetch(session.url)).text()
  expect(page).toContain('$29.00')
  expect(page).toContain('href="http://slipway.test/back"')
  expect(page).not.toContain('Update card')
  expect((await sdk.billingPortal.configurations.list({ active: true })).data).toMatchObject([
    { id: configuration, is_default: false, features: { subscription_cancel: { enabled: true } } },
  ])
  fake.savePortalSettings()
  expect(await sdk.billingPortal.sessions.create({ customer })).toHaveProperty('url')
})

test('changes the card, cancels and resumes in the portal', async () => {
  const { customer, id } = await stage.subscribe()
  fake.savePortalSettings()
  const { url } = await sdk.billingPortal.sessions.create({ customer })
  const press = (deed: string, fields: Record<string, string>) =>
    fetch(`${url}/${deed}`, { method: 'POST', body: new URLSearchParams(fields) }).then((answered) =>
      answered.text(),
    )
  expect(await press('card', { card: '4000000000000002' })).toContain('Your card was declined.')
  expect(await press('card', { card: '5555 5555 5555 4444' })).toContain('mastercard ending in 4444')
  expect(await press('cancel', { subscription: id })).toContain('Cancels on')
  expect(await stage.read(id)).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: (await stage.periodOf(id)).end,
  })
  expect(await press('renew', { subscription: id })).toContain('Renews on')
  expect((await stage.read(id)).cancel_at).toBeNull()
})

test('shows a payment page with its items and rejects invalid input', async () => {
  const { id: customer } = await sdk.customers.create({ email: 'ada@example.com', name: '<b>Ada</b>' })
  const trial_end = fake.now() + 14 * 86_400
  const session = await stage.newSession(customer, {
    subscription_data: { trial_end },
    cancel_url: 'http://slipway.test/plans',
  })
  const page = await (await fetch(session.url ?? '')).text()
  for (const part of [
    'Subscribe to Pro',
    '$29.00 per month',
    '14 days free',
    'ada@example.com',
    'Start trial',
    '&lt;b&gt;Ada',
  ])
    expect(page).toContain(part)
  expect(page).toContain('href="http://slipway.test/plans"')
  expect(await fake.pay(session.url ?? '', { card: '4242 4242 4242 4241' })).toEqual({
    says: 'Your card number is invalid.',
  })
  expect(await fake.pay(session.url ?? '', { name: '' })).toEqual({ says: 'Enter the name on your card.' })
  expect(await fake.pay(session.url ?? '')).toHaveProperty('to')
  expect((await sdk.checkout.sessions.retrieve(session.id)).payment_status).toBe('no_payment_required')
  expect(await (await fetch(session.url ?? '')).text()).toContain('all done here')
})

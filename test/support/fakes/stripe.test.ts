import { Stripe } from 'stripe'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { connectStripe, openStripeStage } from './stripe-stage.ts'
import { apiVersion } from './stripe/state.ts'

const { fake, sdk, stage } = await openStripeStage()
const day = 86_400

beforeEach(() => fake.heal())
afterAll(() => fake.close())

const newCustomer = () =>
  sdk.customers.create({ email: 'ada@example.com', name: 'Ada', metadata: { workspace: 'wks_1' } })

test('speaks the version that the SDK pins, and no other, to whoever has the key', async () => {
  expect(apiVersion).toBe(Stripe.API_VERSION)
  await expect(connectStripe(fake, 'sk_test_wrong_1234567890').customers.list()).rejects.toMatchObject({
    statusCode: 401,
    type: 'StripeAuthenticationError',
    message: expect.stringMatching(/^Invalid API Key provided: sk_test_\*+7890$/),
  })
  await expect(sdk.customers.list({}, { apiVersion: '2020-08-27' })).rejects.toMatchObject({
    statusCode: 400,
  })
  const answered = await fetch(`${fake.url}/v1/widgets`, {
    headers: { authorization: `Bearer ${fake.env.STRIPE_SECRET_KEY}` },
  })
  expect(answered.status).toBe(404)
})

test('refuses parameters that it does not know, wherever they stand, and does nothing', async () => {
  const before = fake.customers.length
  await expect(sdk.customers.create({ email: 'a@b.c', colour: 'red' } as never)).rejects.toMatchObject({
    statusCode: 400,
    type: 'StripeInvalidRequestError',
    code: 'parameter_unknown',
    param: 'colour',
    message: 'Received unknown parameter: colour',
  })
  expect(fake.customers).toHaveLength(before)
  const customer = await newCustomer()
  await expect(
    stage.newSession(customer.id, { subscription_data: { colour: 'red' } as never }),
  ).rejects.toMatchObject({
    code: 'parameter_unknown',
    param: 'subscription_data[colour]',
  })
  await expect(
    sdk.checkout.sessions.create({ success_url: 'http://slipway.test/done' }),
  ).rejects.toMatchObject({
    code: 'parameter_missing',
    param: 'mode',
  })
  await expect(stage.newSession(customer.id, { mode: 'sometimes' as never })).rejects.toMatchObject({
    param: 'mode',
  })
  await expect(stage.newSession(customer.id, { expires_at: 'soon' as never })).rejects.toMatchObject({
    code: 'parameter_invalid_integer',
    param: 'expires_at',
  })
})

test('keeps customers, merges their metadata, and remembers those that were deleted', async () => {
  const { id } = await newCustomer()
  const changed = await sdk.customers.update(id, { name: 'Ada L', metadata: { workspace: '', plan: 'pro' } })
  expect(changed).toMatchObject({ name: 'Ada L', email: 'ada@example.com', metadata: { plan: 'pro' } })
  expect(await sdk.customers.del(id)).toEqual({ id, object: 'customer', deleted: true })
  expect(await sdk.customers.retrieve(id)).toMatchObject({ deleted: true })
  await expect(sdk.customers.update(id, { name: 'x' })).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  })
  await expect(stage.newSession(id)).rejects.toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'customer',
  })
})

test('pages lists newest first, by a hundred at most', async () => {
  const made: string[] = []
  for (let count = 0; count < 5; count++)
    made.unshift((await sdk.customers.create({ email: 'many@example.com' })).id)
  const first = await sdk.customers.list({ email: 'many@example.com', limit: 2 })
  expect(first).toMatchObject({ has_more: true, data: [{ id: made[0] }, { id: made[1] }] })
  const all: string[] = []
  for await (const one of sdk.customers.list({ email: 'many@example.com', limit: 2 })) all.push(one.id)
  expect(all).toEqual(made)
  await expect(sdk.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' })
})

test('tells prices with what is sold, those on sale unless asked otherwise', async () => {
  const price = await sdk.prices.retrieve('price_pro', { expand: ['product'] })
  expect(price).toMatchObject({
    unit_amount: 2900,
    recurring: { interval: 'month' },
    product: { name: 'Pro' },
  })
  fake.addPrice('price_old', { name: 'Old', lookup_key: 'old' })
  expect((await sdk.prices.list({ lookup_keys: ['old'] })).data).toHaveLength(1)
  fake.removePrice('price_old', { archive: true })
  expect((await sdk.prices.list({ lookup_keys: ['old'] })).data).toHaveLength(0)
  expect((await sdk.prices.list({ active: false })).data).toMatchObject([{ id: 'price_old' }])
  const customer = await newCustomer()
  const line_items = [{ price: 'price_old', quantity: 1 }]
  await expect(stage.newSession(customer.id, { line_items })).rejects.toThrow(
    'The price specified is inactive.',
  )
  fake.removePrice('price_old')
  await expect(stage.newSession(customer.id, { line_items })).rejects.toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'line_items[0][price]',
    message: "No such price: 'price_old'",
  })
  await expect(sdk.prices.retrieve('price_old')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  })
})

test('expands what can be expanded, and refuses the rest before it does anything', async () => {
  const { id: subscription, customer } = await stage.subscribe()
  const shown = await sdk.subscriptions.retrieve(subscription, {
    expand: ['customer', 'latest_invoice.payments'],
  })
  expect(shown).toMatchObject({
    customer: { id: customer },
    latest_invoice: { amount_paid: 2900, payments: { data: [{ status: 'paid' }] } },
  })
  const listed = await sdk.subscriptions.list({ customer, expand: ['data.latest_invoice'] })
  expect(listed.data).toMatchObject([{ latest_invoice: { object: 'invoice' } }])
  const before = fake.customers.length
  await expect(sdk.customers.create({ expand: ['pockets'] })).rejects.toThrow(
    'This property cannot be expanded (pockets).',
  )
  expect(fake.customers).toHaveLength(before)
})

test('does a thing once for a key, and says so', async () => {
  const before = fake.customers.length
  const first = await sdk.customers.create({ name: 'One' }, { idempotencyKey: 'key-1' })
  const again = await sdk.customers.create({ name: 'One' }, { idempotencyKey: 'key-1' })
  expect(again.id).toBe(first.id)
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(fake.customers).toHaveLength(before + 1)
  await expect(sdk.customers.create({ name: 'Two' }, { idempotencyKey: 'key-1' })).rejects.toMatchObject({
    statusCode: 400,
    type: 'StripeIdempotencyError',
  })
  fake.slow('POST /v1/customers', 200, { times: 1 })
  const slow = sdk.customers.create({ name: 'Slow' }, { idempotencyKey: 'key-2' })
  await expect.poll(() => fake.requests.at(-1)?.idempotencyKey).toBe('key-2')
  await expect(sdk.customers.create({ name: 'Slow' }, { idempotencyKey: 'key-2' })).rejects.toMatchObject({
    statusCode: 409,
  })
  await slow
})

test('does not spend a key on parameters that are wrong, and forgets it after a day', async () => {
  await expect(sdk.customers.create({ colour: 'x' } as never, { idempotencyKey: 'key-3' })).rejects.toThrow(
    'unknown',
  )
  const { id } = await sdk.customers.create({ name: 'Right' }, { idempotencyKey: 'key-3' })
  await fake.advance({ hours: 25 })
  expect((await sdk.customers.create({ name: 'Right' }, { idempotencyKey: 'key-3' })).id).not.toBe(id)
})

test('does what was asked though the answer is lost, and gives it again for the same key', async () => {
  const before = fake.customers.length
  fake.fail('POST /v1/customers', { status: 500, afterDoing: true, times: 1 })
  await expect(sdk.customers.create({ name: 'Lost' }, { idempotencyKey: 'key-4' })).rejects.toMatchObject({
    statusCode: 500,
  })
  expect(fake.customers).toHaveLength(before + 1)
  const { id } = await sdk.customers.create({ name: 'Lost' }, { idempotencyKey: 'key-4' })
  expect(id).toBe(fake.customers.at(-1)?.id)
  // The SDK itself asks again where a connection was cut, with a key of its own.
  fake.fail('POST /v1/customers', { status: 'cut', afterDoing: true, times: 1 })
  expect((await sdk.customers.create({ name: 'Cut' })).name).toBe('Cut')
  expect(fake.customers).toHaveLength(before + 2)
})

test('is down, slow or out of patience when told so', async () => {
  await fake.down()
  await expect(sdk.customers.list()).rejects.toMatchObject({ type: 'StripeConnectionError' })
  await fake.up()
  await fake.down('500')
  await expect(sdk.customers.list()).rejects.toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
  await fake.up()
  fake.limit(1)
  await expect(sdk.customers.list()).rejects.toMatchObject({ statusCode: 429, type: 'StripeRateLimitError' })
  expect((await sdk.customers.list()).object).toBe('list')
  fake.slow('GET /v1/customers', Infinity, { times: 1 })
  await expect(sdk.customers.list({}, { timeout: 100 })).rejects.toMatchObject({
    type: 'StripeConnectionError',
  })
})

test('holds Checkout to the rules of the real one', async () => {
  const { id } = await newCustomer()
  await expect(
    stage.newSession(id, { subscription_data: { trial_end: fake.now() + 2 * day - 60 } }),
  ).rejects.toThrow('The `trial_end` date has to be at least 2 days in the future.')
  await expect(stage.newSession(id, { automatic_tax: { enabled: true } })).rejects.toMatchObject({
    code: 'customer_tax_location_invalid',
  })
  await expect(stage.newSession(id, { tax_id_collection: { enabled: true } })).rejects.toThrow(
    'customer_update[name]',
  )
  await expect(stage.newSession(id, { expires_at: fake.now() + 60 })).rejects.toThrow('at least 30 minutes')
  await expect(stage.newSession(id, { expires_at: fake.now() + 2 * day })).rejects.toThrow(
    'less than 24 hours',
  )
  await expect(stage.newSession(id, { customer_email: 'a@b.c' })).rejects.toThrow(
    'You may only specify one of',
  )
  const once = fake.addPrice('price_once', { recurring: null })
  await expect(stage.newSession(id, { line_items: [{ price: once.id, quantity: 1 }] })).rejects.toThrow(
    'recurring price',
  )
  const session = await stage.newSession(id, {
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    customer_update: { address: 'auto', name: 'auto' },
  })
  expect(session).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    ui_mode: 'hosted_page',
    mode: 'subscription',
  })
  expect((await sdk.checkout.sessions.expire(session.id)).status).toBe('expired')
  await expect(sdk.checkout.sessions.expire(session.id)).rejects.toThrow('status of expired')
  expect((await sdk.checkout.sessions.list({ customer: id, status: 'open' })).data).toHaveLength(0)
})

test('keeps an error of its own, and a refusal of what was begun, for the key that met it', async () => {
  const create = (name: string, idempotencyKey: string) => sdk.customers.create({ name }, { idempotencyKey })
  fake.fail('POST /v1/customers', { status: 500, afterDoing: true, isKept: true, times: 1 })
  await expect(create('Kept', 'key-5')).rejects.toMatchObject({ statusCode: 500 })
  await expect(create('Kept', 'key-5')).rejects.toMatchObject({ statusCode: 500 })
  const { id } = await newCustomer()
  const line_items = [{ price: 'price_late', quantity: 1 }]
  const buy = (idempotencyKey: string) =>
    sdk.checkout.sessions.create(
      { mode: 'subscription', customer: id, line_items, success_url: 'http://slipway.test/done' },
      { idempotencyKey },
    )
  await expect(buy('key-6')).rejects.toMatchObject({ code: 'resource_missing' })
  fake.addPrice('price_late')
  await expect(buy('key-6')).rejects.toMatchObject({ code: 'resource_missing' })
  expect((await buy('key-7')).status).toBe('open')
})

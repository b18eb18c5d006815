import { Stripe } from 'stripe'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { connectStripe, openStripeStage } from '../support/fakes/stripe-stage.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { apiVersion } from '../support/fakes/stripe/state.ts'

const { fake, sdk, stage } = await openStripeStage()
const day = 86_400

beforeEach(() => fake.heal())
afterAll(() => fake.close())

const newCustomer = () =>
  sdk.customers.create({ email: 'ada@example.com', name: 'Ada', metadata: { workspace: 'wks_1' } })

test('accepts only the API version of the SDK and a valid key', async () => {
  expect(apiVersion).toBe(Stripe.API_VERSION)
  await expect(connectStripe(fake, 'sk_test_wrong_1234567890').subscriptions.list()).rejects.toMatchObject({
    statusCode: 401,
    type: 'StripeAuthenticationError',
    message: expect.stringMatching(/^Invalid API Key provided: sk_test_\*+7890$/),
  })
  await expect(sdk.subscriptions.list({}, { apiVersion: '2020-08-27' })).rejects.toMatchObject({
    statusCode: 400,
  })
  const answered = await fetch(`${fake.url}/v1/widgets`, {
    headers: { authorization: `Bearer ${fake.env.STRIPE_SECRET_KEY}` },
  })
  expect(answered.status).toBe(404)
})

test('rejects unknown parameters at any depth and does nothing', async () => {
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
  await expect(
    stage.newSession(customer.id, { subscription_data: { trial_end: 'soon' as never } }),
  ).rejects.toMatchObject({
    code: 'parameter_invalid_integer',
    param: 'subscription_data[trial_end]',
  })
  await expect(sdk.customers.create({ name: '' })).rejects.toMatchObject({
    code: 'parameter_invalid_empty',
    param: 'name',
  })
  await expect(sdk.customers.create({ metadata: { workspace: 'x'.repeat(501) } })).rejects.toMatchObject({
    param: 'metadata[workspace]',
  })
  await expect(stage.newSession(customer.id, { success_url: 'nowhere' })).rejects.toMatchObject({
    statusCode: 400,
    param: 'success_url',
  })
})

test('throws on a published parameter that is not implemented', async () => {
  const other = await startFakeStripe()
  await expect(connectStripe(other).customers.create({ phone: '1' })).rejects.toThrow('connection')
  await expect(other.close()).rejects.toThrow('the parameter phone of POST /v1/customers')
})

test('stores customers and remembers deleted ones', async () => {
  const { id } = await newCustomer()
  expect(await sdk.customers.retrieve(id)).toMatchObject({ name: 'Ada', metadata: { workspace: 'wks_1' } })
  fake.deleteCustomer(id)
  expect(await sdk.customers.retrieve(id)).toEqual(expect.objectContaining({ id, deleted: true }))
  await expect(sdk.customers.retrieve('cus_none')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  })
  await expect(stage.newSession(id)).rejects.toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'customer',
  })
})

test('pages lists newest first, up to a hundred per page', async () => {
  const { id: customer } = await newCustomer()
  const created: string[] = []
  for (let count = 0; count < 5; count++) created.unshift((await stage.newSession(customer)).id)
  const first = await sdk.checkout.sessions.list({ customer, limit: 2 })
  expect(first).toMatchObject({ has_more: true, data: [{ id: created[0] }, { id: created[1] }] })
  const all: string[] = []
  for await (const { id } of sdk.checkout.sessions.list({ customer, limit: 2 })) all.push(id)
  expect(all).toEqual(created)
  await expect(sdk.checkout.sessions.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' })
})

test('sells only active prices', async () => {
  const price = await sdk.prices.retrieve('price_pro')
  expect(price).toMatchObject({ unit_amount: 2900, recurring: { interval: 'month' } })
  fake.addPrice('price_old', { name: 'Old' })
  fake.removePrice('price_old', { archive: true })
  expect(await sdk.prices.retrieve('price_old')).toMatchObject({ active: false })
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

test('rejects unsupported expansions before any change', async () => {
  const before = fake.customers.length
  await expect(sdk.customers.create({ expand: ['pockets'] })).rejects.toThrow(
    'This property cannot be expanded (pockets).',
  )
  expect(fake.customers).toHaveLength(before)
})

test('executes a request once per idempotency key and marks the replay', async () => {
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
  fake.slow('POST /v1/customers', Infinity, { times: 1 })
  const slow = sdk.customers.create({ name: 'Slow' }, { idempotencyKey: 'key-2' })
  await fake.waits('POST /v1/customers')
  await expect(sdk.customers.create({ name: 'Slow' }, { idempotencyKey: 'key-2' })).rejects.toMatchObject({
    statusCode: 409,
  })
  fake.heal()
  await slow
})

test('keeps a key unused after invalid parameters and drops it after a day', async () => {
  await expect(sdk.customers.create({ colour: 'x' } as never, { idempotencyKey: 'key-3' })).rejects.toThrow(
    'unknown',
  )
  const { id } = await sdk.customers.create({ name: 'Right' }, { idempotencyKey: 'key-3' })
  await fake.advance({ hours: 25 })
  expect((await sdk.customers.create({ name: 'Right' }, { idempotencyKey: 'key-3' })).id).not.toBe(id)
})

test('executes a request whose response is lost and replays it for the same key', async () => {
  const before = fake.customers.length
  fake.fail('POST /v1/customers', { status: 500, afterDoing: true, times: 1 })
  await expect(sdk.customers.create({ name: 'Lost' }, { idempotencyKey: 'key-4' })).rejects.toMatchObject({
    statusCode: 500,
  })
  expect(fake.customers).toHaveLength(before + 1)
  const { id } = await sdk.customers.create({ name: 'Lost' }, { idempotencyKey: 'key-4' })
  expect(id).toBe(fake.customers.at(-1)?.id)
  // The SDK retries a lost connection with its own idempotency key.
  fake.fail('POST /v1/customers', { status: 'cut', afterDoing: true, times: 1 })
  expect((await sdk.customers.create({ name: 'Cut' })).name).toBe('Cut')
  expect(fake.customers).toHaveLength(before + 2)
})

test('is down, slow or rate-limited on request', async () => {
  await fake.down()
  await expect(sdk.subscriptions.list()).rejects.toMatchObject({ type: 'StripeConnectionError' })
  await fake.up()
  await fake.down('500')
  await expect(sdk.subscriptions.list()).rejects.toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
  await fake.up()
  fake.limit(1)
  await expect(sdk.subscriptions.list()).rejects.toMatchObject({
    statusCode: 429,
    type: 'StripeRateLimitError',
  })
  expect((await sdk.subscriptions.list()).object).toBe('list')
  fake.slow('GET /v1/subscriptions', Infinity, { times: 1 })
  await expect(sdk.subscriptions.list({}, { timeout: 100 })).rejects.toMatchObject({
    type: 'StripeConnectionError',
  })
})

test('enforces the rules of Checkout', async () => {
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

test('replays server errors and failed requests for the same key', async () => {
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

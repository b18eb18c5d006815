import { afterAll, afterEach, expect, test } from 'vitest'
import { deleteWorkspace } from '../../../contract/workspaces.ts'
import { runReconciliation, runWatch } from '../../../test/support/stages/billing-jobs.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'

const stage = await openBillingStage()
const { stripe, slipway, db, newYard, settled, pass } = stage
afterAll(stage.close)
afterEach(async () => {
  stripe.webhooks.loseNone()
  stripe.heal()
  await stripe.up()
})

test('applies lost webhooks the next day', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('pro')
  await settled()
  stripe.webhooks.lose()
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  await settled()
  expect(await yard.row()).toMatchObject({ stripe_status: null })
  await runReconciliation(slipway.ctx)
  expect(await yard.row()).toMatchObject({ stripe_status: 'active', plan_id: 'pro' })
  expect((await yard.auditEvents()).at(-1)).toBe('subscribed by Stripe')
  stripe.endSubscription(await yard.customer())
  await runReconciliation(slipway.ctx)
  expect(await yard.row()).toMatchObject({ stripe_status: 'canceled' })
  await runReconciliation(slipway.ctx)
  expect((await yard.auditEvents()).filter((one) => one.startsWith('ended'))).toHaveLength(1)
})

test('finds a payment on the next visit, or within an hour without one', async () => {
  const [back, away] = await paidInSilence(2)
  // Stripe is called at most once a minute.
  await pass({ hours: 1 })
  await back?.subscription()
  await settled()
  expect((await back?.subscription())?.subscription).toMatchObject({ plan: { id: 'pro' }, status: 'active' })
  expect(await away?.row()).toMatchObject({ stripe_status: null })
  await runWatch(slipway.ctx)
  expect(await away?.row()).toMatchObject({ stripe_status: 'active', plan_id: 'pro' })
})

test('checks an unpaid session until it expires, then stops', async () => {
  stripe.webhooks.lose()
  const yard = await newYard()
  await yard.subscribe('pro')
  const asked = async () => {
    const customer = await yard.customer()
    const before = stripe.requests.length
    await runWatch(slipway.ctx)
    return stripe.requests.slice(before).filter(({ params }) => params['customer'] === customer).length
  }
  await pass({ hours: 2 })
  expect(await asked()).toBeGreaterThan(0)
  await pass({ days: 2 })
  expect(await asked()).toBeGreaterThan(0)
  await pass({ hours: 1 })
  expect(await asked()).toBe(0)
})

test('ends access when the subscription was deleted in Stripe', async () => {
  const yard = await newYard()
  await yard.buy()
  stripe.endSubscription(await yard.customer())
  await settled()
  expect(await yard.shown()).toMatchObject({ on_trial: true, subscription: { status: 'canceled' } })
  expect((await yard.auditEvents()).at(-1)).toBe('ended by Stripe')
})

test('ends access of a customer deleted in Stripe and creates a new one on subscribe', async () => {
  const yard = await newYard()
  await yard.buy()
  const before = await yard.customer()
  stripe.deleteCustomer(before)
  await settled()
  expect(await yard.row()).toMatchObject({ stripe_status: 'canceled' })
  expect(await yard.buy('team')).toMatchObject({ state: 'paid', subscription: { plan: { id: 'team' } } })
  expect(await yard.customer()).not.toBe(before)
})

/** Creates workspaces that paid while webhooks were lost, in the order of reconciliation. */
async function paidInSilence(count: number) {
  const yards = []
  for (let made = 0; made < count; made++) {
    const yard = await newYard()
    const { url } = await yard.subscribe('pro')
    await settled()
    stripe.webhooks.lose()
    await stripe.pay(url ?? '')
    yards.push(yard)
  }
  return yards.toSorted((a, b) => (a.workspace < b.workspace ? -1 : 1))
}

const setRow = (customer: string, values: object) =>
  db.updateTable('subscriptions').set(values).where('customer_id', '=', customer).execute()

test('continues with other workspaces after an invalid state', async () => {
  const [unknown, even] = await paidInSilence(2)
  const customer = (await unknown?.customer()) ?? ''
  await setRow(customer, {
    customer_id: `${customer}_of_another_account`,
    stripe_status: 'active',
    seen_at: new Date(),
  })
  await runReconciliation(slipway.ctx)
  expect(await even?.row()).toMatchObject({ stripe_status: 'active' })
  expect(slipway.lines.join('\n')).toContain('Failed to reconcile a subscription')
})

test('continues with other workspaces after a Stripe error and retries the failed one in a job', async () => {
  const [odd, even] = await paidInSilence(2)
  const id = (await odd?.customer()) ?? ''
  const paid = stripe.subscriptions.find((one) => one.customer === id)
  if (!paid) throw new Error('There is no subscription.')
  // Invoices are requested only for overdue subscriptions.
  paid.status = 'past_due'
  stripe.fail('GET /v1/invoices', { status: 500 })
  await runReconciliation(slipway.ctx)
  expect(await even?.row()).toMatchObject({ stripe_status: 'active' })
  expect(await odd?.row()).toMatchObject({ stripe_status: null })
  stripe.heal()
  await settled()
  expect(await odd?.row()).toMatchObject({ stripe_status: 'past_due' })
})

test('stops and logs when Stripe is unreachable or rejects the key', async () => {
  await paidInSilence(3)
  await stripe.down('500')
  await expect(runReconciliation(slipway.ctx)).rejects.toThrow('Stripe')
  await stripe.up()
  await settled()
  const key = { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } }
  stripe.fail('*', { status: 401, body: key })
  const asked = stripe.requests.length
  await expect(runReconciliation(slipway.ctx)).rejects.toThrow('key')
  expect(stripe.requests.length - asked).toBeLessThan(2)
  expect(slipway.lines.filter((line) => line.includes('Stopped reconciling subscriptions'))).toHaveLength(2)
})

test('cancels the subscription of a deleted workspace, even when Stripe was unreachable', async () => {
  const yard = await newYard()
  await yard.buy()
  const customer = await yard.customer()
  const { name } = await yard.shown()
  await stripe.down('500')
  await slipway.ok(deleteWorkspace, { token: yard.token, body: { name } })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await stripe.up()
  await settled()
  expect(stripe.subscriptions.find((one) => one.customer === customer)).toMatchObject({ status: 'canceled' })
})

test('cancels a subscription paid after its workspace was deleted and logs that a refund is needed', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('pro')
  const customer = await yard.customer()
  const { name } = await yard.shown()
  // The session is still open when it is paid.
  stripe.fail('POST /v1/checkout/sessions/*/expire', { status: 500 })
  await slipway.ok(deleteWorkspace, { token: yard.token, body: { name } })
  await stripe.advance({ seconds: 5 })
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  stripe.heal()
  await settled()
  expect(stripe.subscriptions.find((one) => one.customer === customer)).toMatchObject({ status: 'canceled' })
  expect(slipway.lines.join('\n')).toContain(
    'Received a payment for a deleted workspace: refund it in Stripe',
  )
})

test('cancels a subscription of a deleted workspace the next day when the webhook was lost', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('team')
  const customer = await yard.customer()
  const { name } = await yard.shown()
  const page = stripe.sessions.find((one) => one.customer === customer)
  await slipway.ok(deleteWorkspace, { token: yard.token, body: { name } })
  await settled()
  if (!page) throw new Error('There is no page.')
  expect(page.status).toBe('expired')
  // Simulates a session that was opened during the deletion.
  page.status = 'open'
  stripe.webhooks.lose()
  await stripe.advance({ seconds: 5 })
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  await runReconciliation(slipway.ctx)
  expect(stripe.subscriptions.find((one) => one.customer === customer)).toMatchObject({ status: 'canceled' })
})

test('ignores other products of the same Stripe account', async () => {
  const yard = await newYard()
  await yard.buy()
  const customer = await yard.customer()
  const [ours] = await yard.live()
  if (!ours) throw new Error('There is no subscription.')
  const created = ours.created + 1
  const theirs = { ...structuredClone(ours), id: 'sub_support', metadata: {}, customer, created }
  stripe.subscriptions.push(theirs)
  await runReconciliation(slipway.ctx)
  await pass({})
  expect(await yard.live()).toHaveLength(2)
  expect(await yard.row()).toMatchObject({ subscription_id: ours.id })
})

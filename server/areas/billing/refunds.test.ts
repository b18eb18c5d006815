import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { confirmSubscription } from '../../../contract/billing.ts'
import { deleteWorkspace } from '../../../contract/workspaces.ts'
import { runReconciliation, runSync } from '../../../test/support/stages/billing-jobs.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'

const stage = await openBillingStage()
const { stripe, slipway, db, ctx, newYard, refundsOf, settled } = stage
afterAll(stage.close)
afterEach(async () => {
  stripe.heal()
  await stripe.up()
  stripe.webhooks.loseNone()
})

type Yard = Awaited<ReturnType<typeof newYard>>

/** Pays two concurrently open sessions while webhooks are lost. */
async function payTwice(yard: Yard) {
  await yard.subscribe('pro')
  const customer = await yard.customer()
  const page = stripe.sessions.find((one) => one.customer === customer)
  if (!page) throw new Error('There is no page.')
  const second = { ...page, id: `${page.id}b` }
  stripe.sessions.push(second)
  await settled()
  stripe.webhooks.lose()
  for (const { id } of [page, second])
    expect(await stripe.pay(`${stripe.url}/c/pay/${id}`)).toHaveProperty('to')
  return { session: page.id, customer }
}

/** Deletes the workspace. A payment in the same second may have happened after the deletion. */
async function leave(yard: Yard) {
  await stripe.advance({ seconds: 5 })
  const { name } = await yard.shown()
  await slipway.ok(deleteWorkspace, { token: yard.token, body: { name } })
  await settled()
}

const refuse = (what: string, code: string) =>
  stripe.fail(what, { status: 400, body: { error: { type: 'invalid_request_error', code, message: 'No.' } } })

const owed = () => db.selectFrom('owed_refunds').selectAll().execute()

test('keeps the plan after a double payment and stops the second although the refund fails', async () => {
  const yard = await newYard()
  const { session, customer } = await payTwice(yard)
  refuse('POST /v1/refunds', 'balance_insufficient')
  const confirmed = await slipway.ok(confirmSubscription, {
    token: yard.token,
    body: { session_id: session },
  })
  expect(confirmed).toMatchObject({ state: 'paid', subscription: { status: 'active' } })
  expect(await yard.row()).toMatchObject({ stripe_status: 'active', plan_id: 'pro' })
  expect(await yard.live()).toHaveLength(1)
  expect((await yard.told()).slice(-2)).toEqual(['subscribed by owner', 'refund_owed by Slipway'])
  expect(slipway.lines.join('\n')).toContain('Stripe rejected the refund of a duplicate subscription')
  // The field name must not be one that the log redacts.
  expect(slipway.lines.join('\n')).toContain('"stripeCode":"balance_insufficient"')

  // The refund fails the next day too, without another notification, and then succeeds.
  await runReconciliation(ctx)
  expect((await yard.told()).filter((one) => one.startsWith('refund_owed'))).toHaveLength(1)
  expect(await owed()).toHaveLength(1)
  stripe.heal()
  await runReconciliation(ctx)
  expect(refundsOf(customer)).toEqual([2_900])
  expect((await yard.told()).at(-1)).toBe('duplicate_refunded by Slipway')
  expect(await owed()).toEqual([])
  await runReconciliation(ctx)
  expect(refundsOf(customer)).toEqual([2_900])
})

test('retries a refund without a response after one minute', async () => {
  const yard = await newYard()
  const { customer } = await payTwice(yard)
  stripe.fail('POST /v1/refunds', { status: 500 })
  await runSync(ctx, yard.workspace)
  expect(await yard.row()).toMatchObject({ stripe_status: 'active' })
  expect(await yard.live()).toHaveLength(1)
  stripe.heal()
  await sql`update jobs set run_at = now() where kind = 'sync-billing' and state = 'queued'`.execute(db)
  await settled()
  expect(refundsOf(customer)).toEqual([2_900])
  expect(await owed()).toEqual([])
})

test('refunds a second subscription and cancels it as soon as that succeeds', async () => {
  const yard = await newYard()
  const { customer } = await payTwice(yard)
  refuse('DELETE /v1/subscriptions/*', 'lock_timeout')
  await runSync(ctx, yard.workspace)
  expect(await yard.row()).toMatchObject({ stripe_status: 'active' })
  expect(refundsOf(customer)).toEqual([2_900])
  expect(await yard.live()).toHaveLength(2)
  stripe.heal()
  await runReconciliation(ctx)
  expect(await yard.live()).toHaveLength(1)
  expect((await yard.told()).filter((one) => one.startsWith('duplicate'))).toHaveLength(1)
})

test('refunds even when the workspace was deleted before the refund', async () => {
  const yard = await newYard()
  const { customer } = await payTwice(yard)
  refuse('POST /v1/refunds', 'balance_insufficient')
  await runSync(ctx, yard.workspace)
  await leave(yard)
  stripe.heal()
  await runReconciliation(ctx)
  expect(refundsOf(customer)).toEqual([2_900])
  expect(await owed()).toEqual([])
})

test('notifies the operator when a payment made with credit cannot be refunded', async () => {
  const yard = await newYard()
  await yard.subscribe('pro')
  for (const one of stripe.customers) if (one.id === (await yard.customer())) one.balance = -9_900
  await payTwice(yard)
  await runSync(ctx, yard.workspace)
  expect(slipway.lines.join('\n')).toMatch(/was paid with credit.*"credit":2900/)
  const told = db.selectFrom('events').select('detail').where('workspace_id', '=', yard.workspace)
  const [refunded] = await told.where('type', '=', 'billing.duplicate_refunded').execute()
  expect(refunded?.detail).toContain('with credit')
})

test('cancels the subscription of a deleted workspace and refunds it later when Stripe refuses', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('pro')
  const customer = await yard.customer()
  const { name } = await yard.shown()
  const page = stripe.sessions.find((one) => one.customer === customer)
  await slipway.ok(deleteWorkspace, { token: yard.token, body: { name } })
  await settled()
  if (!page) throw new Error('There is no page.')
  page.status = 'open'
  stripe.webhooks.lose()
  await stripe.advance({ seconds: 5 })
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  refuse('POST /v1/refunds', 'balance_insufficient')
  await runReconciliation(ctx)
  expect(stripe.subscriptions.find((one) => one.customer === customer)).toMatchObject({ status: 'canceled' })
  expect(refundsOf(customer)).toEqual([])
  stripe.heal()
  await runReconciliation(ctx)
  expect(refundsOf(customer)).toEqual([2_900])
})

test('refunds a pending bank payment after it arrives', async () => {
  const yard = await newYard()
  const { customer } = await payTwice(yard)
  // Which payment is the duplicate is not known yet.
  const invoices = stripe.invoices.filter((one) => one.customer === customer)
  for (const one of invoices) one.status = 'open'
  refuse('POST /v1/invoices/*/void', 'invoice_not_editable')
  await runSync(ctx, yard.workspace)
  expect(await yard.live()).toHaveLength(1)
  expect(refundsOf(customer)).toEqual([])
  for (const one of invoices) one.status = 'paid'
  stripe.heal()
  await runReconciliation(ctx)
  expect(refundsOf(customer)).toEqual([2_900])
  expect(await owed()).toEqual([])
})

test('refunds the second of two payments when the workspace is deleted first', async () => {
  const yard = await newYard()
  const { customer } = await payTwice(yard)
  await leave(yard)
  await runReconciliation(ctx)
  expect(await yard.live()).toEqual([])
  expect(refundsOf(customer)).toEqual([2_900])
  expect(await owed()).toEqual([])
})

import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { confirmSubscription } from '../../../contract/billing.ts'
import { deleteWorkspace } from '../../../contract/workspaces.ts'
import { runReconciliation, runSync } from '../../../test/support/stages/billing-jobs.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'

const stage = await openBillingStage()
const { stripe, slipway, db, ctx, newYard, settled } = stage
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

async function leave(yard: Yard) {
  await stripe.advance({ seconds: 5 })
  const { name } = await yard.shown()
  await slipway.ok(deleteWorkspace, { token: yard.token, body: { name } })
  await settled()
}

const refuse = (what: string, code: string) =>
  stripe.fail(what, { status: 400, body: { error: { type: 'invalid_request_error', code, message: 'No.' } } })

const statusesOf = (customer: string) =>
  stripe.subscriptions.filter((one) => one.customer === customer).map(({ status }) => status)

test('keeps the newer of two paid subscriptions and reports the other once for a refund', async () => {
  const yard = await newYard()
  const { session, customer } = await payTwice(yard)
  refuse('DELETE /v1/subscriptions/*', 'lock_timeout')
  const confirmed = await slipway.ok(confirmSubscription, {
    token: yard.token,
    body: { session_id: session },
  })
  expect(confirmed).toMatchObject({ state: 'paid', subscription: { status: 'active' } })
  expect(await yard.live()).toHaveLength(2)
  expect((await yard.auditEvents()).slice(-2)).toEqual(['subscribed by owner', 'duplicate_ended by Slipway'])
  expect(slipway.lines.join('\n')).toContain(
    'Received a duplicate payment from a workspace: refund it in Stripe',
  )
  // The field name must not be one that the log redacts.
  expect(slipway.lines.join('\n')).toContain('"stripeCode":"lock_timeout"')
  stripe.heal()
  await runReconciliation(ctx)
  expect(statusesOf(customer).toSorted()).toEqual(['active', 'canceled'])
  const kept = stripe.subscriptions.find((one) => one.customer === customer && one.status === 'active')
  expect(await yard.row()).toMatchObject({ stripe_status: 'active', subscription_id: kept?.id })
  expect((await yard.auditEvents()).filter((one) => one.startsWith('duplicate'))).toHaveLength(1)
})

test('retries to end a duplicate one minute after a call without a response', async () => {
  const yard = await newYard()
  await payTwice(yard)
  stripe.fail('DELETE /v1/subscriptions/*', { status: 500 })
  await runSync(ctx, yard.workspace)
  expect(await yard.live()).toHaveLength(2)
  stripe.heal()
  await sql`update jobs set run_at = now() where kind = 'sync-billing' and state = 'queued'`.execute(db)
  await settled()
  expect(await yard.live()).toHaveLength(1)
})

test('expires an open session once another one was paid', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('pro')
  const customer = await yard.customer()
  const page = stripe.sessions.find((one) => one.customer === customer)
  if (!page) throw new Error('There is no page.')
  const second = { ...page, id: `${page.id}b` }
  stripe.sessions.push(second)
  await settled()
  expect(await stripe.pay(url ?? '')).toHaveProperty('to')
  await settled()
  expect(second.status).toBe('expired')
  expect(await yard.row()).toMatchObject({ stripe_status: 'active', checkout_until: null })
})

test('ends both subscriptions when the workspace is deleted after a double payment', async () => {
  const yard = await newYard()
  const { customer } = await payTwice(yard)
  await leave(yard)
  await runReconciliation(ctx)
  expect(statusesOf(customer)).toEqual(['canceled', 'canceled'])
})

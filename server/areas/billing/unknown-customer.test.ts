import { afterAll, expect, test } from 'vitest'
import { cancelSubscription } from '../../../contract/billing.ts'
import { runReconciliation } from '../../../test/support/stages/billing-jobs.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'

const stage = await openBillingStage()
const { stripe, slipway, ctx, newYard, settled, pass } = stage
afterAll(stage.close)

type Yard = Awaited<ReturnType<typeof newYard>>

/** Hides the customer, as with the key of another account; the result shows it again. */
async function hide(yard: Yard) {
  const id = await yard.customer()
  const at = stripe.customers.findIndex((one) => one.id === id)
  const [hidden] = stripe.customers.splice(at, 1)
  if (!hidden) throw new Error('There is no such customer.')
  return () => void stripe.customers.push(hidden)
}

test('keeps the plan of a customer unknown to Stripe and notifies the operator', async () => {
  const yard = await newYard()
  await yard.buy()
  const [before, emitted] = [await yard.row(), await yard.auditEvents()]
  const show = await hide(yard)
  await runReconciliation(ctx)
  expect(await yard.row()).toMatchObject({
    stripe_status: 'active',
    customer_id: before?.customer_id,
    cancel_at: null,
  })
  expect(await yard.auditEvents()).toEqual(emitted)
  expect(slipway.lines.join('\n')).toContain('STRIPE_SECRET_KEY')

  // Requests fail meanwhile instead of seeming to succeed.
  const { text } = await slipway.refused(cancelSubscription, { token: yard.token }, 502, 'outside_failed')
  expect(text).toContain('operator')
  await yard.refused('team', 502, 'outside_failed')
  expect(await yard.customer()).toBe(before?.customer_id)
  show()
  expect(await yard.cancel()).toMatchObject({ subscription: { status: 'active' } })
})

test('ends the plan of an unknown customer at the end of its period', async () => {
  const yard = await newYard()
  await yard.buy()
  const show = await hide(yard)
  // Only the clock of Slipway advances: the other Stripe account is independent.
  const later = new Date(ctx.now().getTime() + 40 * 86_400_000)
  const before = () => new Date(stripe.now() * 1_000)
  ctx.now = () => later
  await runReconciliation(ctx)
  ctx.now = before
  expect(await yard.row()).toMatchObject({ stripe_status: 'canceled' })
  show()
})

test('leaves no paid subscription of a replaced customer', async () => {
  const yard = await newYard()
  const { url } = await yard.subscribe('pro')
  const former = await yard.customer()
  await settled()
  // The session is paid, and another key is set before the webhook arrives.
  stripe.webhooks.lose()
  await stripe.pay(url ?? '')
  const show = await hide(yard)
  const { url: other } = await yard.subscribe('pro')
  expect(await yard.customer()).not.toBe(former)
  await runReconciliation(ctx)
  const ofFormer = () => stripe.subscriptions.find((one) => one.customer === former)
  expect(ofFormer()).toMatchObject({ status: 'active' })
  show()
  await runReconciliation(ctx)
  expect(ofFormer()).toMatchObject({ status: 'canceled' })
  stripe.webhooks.loseNone()
  await stripe.pay(other ?? '')
  await settled()
  await pass({ days: 31, hours: 2 })
  expect(await yard.row()).toMatchObject({ stripe_status: 'active' })
  const paid = stripe.invoices.filter((one) => one.customer === former && one.status === 'paid')
  expect(paid).toHaveLength(1)
})

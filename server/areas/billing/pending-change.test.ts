import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { runSync, runWatch } from '../../../test/support/stages/billing-jobs.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'

const stage = await openBillingStage()
const { stripe, newYard, settled, pass } = stage
afterAll(stage.close)
afterEach(() => {
  stripe.heal()
  stripe.webhooks.loseNone()
})

/** A card that pays the first time and requires confirmation for later charges. */
const asking = '4000 0025 0000 3155'

const paidOn = async (page: string | null) => expect(await stripe.pay(page ?? '')).toHaveProperty('to')

test('changes the plan after the card was confirmed on the linked page', async () => {
  const yard = await newYard()
  await yard.buy('pro', asking)
  const { change } = await yard.change('team')
  const { url, subscription } = await yard.subscribe('team')
  expect(url).toMatch(/^http/)
  expect(subscription).toMatchObject({ plan: { id: 'pro' }, status: 'active', amount: 2_900 })
  expect(subscription?.pending_change).toMatchObject({ plan: { id: 'team', name: 'Team' }, url })
  expect(new Date(subscription?.pending_change?.until ?? 0).getTime()).toBeGreaterThan(stripe.now() * 1_000)
  expect((await yard.auditEvents()).at(-1)).toBe('change_started by owner')
  stripe.settings.newAddresses = true
  onTestFinished(() => void (stripe.settings.newAddresses = false))
  await runSync(stage.ctx, yard.workspace)
  expect((await yard.auditEvents()).filter((one) => one.startsWith('change_started'))).toHaveLength(1)
  await settled()
  expect(await yard.row()).toMatchObject({ plan_id: 'pro', stripe_status: 'active', pay_url: null })
  expect(await yard.paid()).toBe(2_900)
  await paidOn(url)
  await settled()
  expect(await yard.row()).toMatchObject({ plan_id: 'team', stripe_status: 'active', amount: 9_900 })
  expect((await yard.subscription()).subscription?.pending_change).toBeNull()
  expect(Math.abs((await yard.paid()) - 2_900 - change.due_now)).toBeLessThanOrEqual(1)
  expect((await yard.auditEvents()).at(-1)).toBe('plan_changed by Stripe')
  await yard.refused('team', 409, 'same_plan')
})

test('discards an unconfirmed change after a day without charging', async () => {
  const yard = await newYard()
  await yard.buy('pro', asking)
  const { url } = await yard.subscribe('team')
  // The change must apply without a webhook.
  stripe.webhooks.lose()
  await pass({ days: 1 })
  expect(await stripe.pay(url ?? '')).not.toHaveProperty('to')
  await runWatch(stage.ctx)
  expect(await yard.row()).toMatchObject({ plan_id: 'pro', stripe_status: 'active', held_url: null })
  expect(await yard.paid()).toBe(2_900)
  expect(await yard.auditEvents()).toEqual([
    'checkout_started by owner',
    'subscribed by owner',
    'change_started by owner',
  ])
})

test('returns the same page for a repeated change and replaces it for another plan', async () => {
  const yard = await newYard()
  await yard.buy('hobby', asking)
  const { url: first } = await yard.subscribe('team')
  expect((await yard.subscribe('team')).url).toBe(first)
  const { url: second } = await yard.subscribe('pro')
  expect(second).not.toBe(first)
  expect(await stripe.pay(first ?? '')).not.toHaveProperty('to')
  await paidOn(second)
  await settled()
  expect(await yard.row()).toMatchObject({ plan_id: 'pro', amount: 2_900 })
  expect(await yard.paid()).toBeLessThanOrEqual(2_900)
})

test('charges nothing more when a change is confirmed while another plan is chosen', async () => {
  const yard = await newYard()
  await yard.buy('hobby', asking)
  const { url } = await yard.subscribe('pro')
  stripe.webhooks.lose()
  stripe.slow('POST /v1/invoices/*/void', Infinity, { times: 1 })
  const choosing = yard.refused('team', 409, 'paid_meanwhile')
  await stripe.waits('POST /v1/invoices/*/void')
  // This card requires no confirmation.
  await paidOn(url)
  stripe.heal()
  await choosing
  expect(await yard.row()).toMatchObject({ plan_id: 'pro' })
})

test('finds a change after a lost response when it is requested again', async () => {
  const yard = await newYard()
  await yard.buy('pro', asking)
  stripe.webhooks.lose()
  const customer = await yard.customer()
  stripe.fail('GET /v1/invoices', { status: 500 })
  await yard.refused('team', 502, 'outside_failed')
  stripe.heal()
  const { url } = await yard.subscribe('team')
  const open = stripe.invoices.filter((one) => one.customer === customer && one.status === 'open')
  expect(open.map(({ id }) => `${stripe.url}/i/${id}`)).toEqual([url])
})

test('resumes a canceled plan only once the change is confirmed', async () => {
  const yard = await newYard()
  await yard.buy('pro', asking)
  await yard.cancel()
  const { url, subscription } = await yard.subscribe('team')
  expect(subscription?.cancel_at).not.toBeNull()
  await settled()
  expect((await yard.row())?.cancel_at).not.toBeNull()
  await paidOn(url)
  await settled()
  expect(await yard.row()).toMatchObject({ plan_id: 'team', cancel_at: null })
})

test('keeps a cancellation to a date after a confirmed change until it is reverted', async () => {
  const yard = await newYard()
  await yard.buy('pro', asking)
  stripe.cancelInPortal(await yard.customer(), 'cancel_at')
  await settled()
  const { url } = await yard.subscribe('team')
  await paidOn(url)
  await settled()
  expect(await yard.row()).toMatchObject({ plan_id: 'team', cancel_at: expect.any(Date) })
  expect(await yard.resume()).toMatchObject({ subscription: { plan: { id: 'team' }, cancel_at: null } })
})

test('starts a confirmed year at the time of the request', async () => {
  const yard = await newYard()
  await yard.buy('pro', asking)
  const { change } = await yard.change('pro_yearly')
  const { url } = await yard.subscribe('pro_yearly')
  await paidOn(url)
  await settled()
  const { subscription } = await yard.subscription()
  expect(subscription).toMatchObject({ interval: 'year', amount: 29_000 })
  expect(subscription?.renews_at?.slice(0, 10)).toBe(change.next_at.slice(0, 10))
})

test('leaves nothing to pay later after a declined card', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  const customer = await yard.customer()
  stripe.setCard(customer, 'declined')
  await yard.refused('team', 409, 'payment_failed')
  const invoices = stripe.invoices.filter((one) => one.customer === customer)
  expect(invoices.map(({ status }) => status)).toEqual(['paid'])
  expect(stripe.subscriptions.find((one) => one.customer === customer)?.pending_update).toBeNull()
})

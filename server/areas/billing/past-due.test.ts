import { afterAll, afterEach, expect, test } from 'vitest'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'
import { startMailbox } from '../../../test/support/fakes/mailbox.ts'
import { setTrial } from '../../../test/support/factories/billing-factories.ts'
import { runWatch } from '../../../test/support/stages/billing-jobs.ts'

const mailbox = await startMailbox()
const stage = await openBillingStage({ SMTP_URL: mailbox.url })
const { stripe, slipway, newYard, pass, settled } = stage
afterAll(async () => {
  await stage.close()
  await mailbox.close()
})

afterEach(() => stripe.webhooks.loseNone())

/** A card that pays once and is declined at the renewal. */
const onceOnly = '4000 0000 0000 0341'

test('keeps the plan for seven days after a failed payment, then locks until it is paid', async () => {
  stripe.settings.afterRetries = 'past_due'
  const yard = await newYard()
  await yard.buy('pro', onceOnly)
  await pass({ days: 31, hours: 2 })
  const { subscription } = await yard.subscription()
  expect(subscription).toMatchObject({ stripe_status: 'active', status: 'active' })
  expect(subscription?.grace_ends_at).not.toBeNull()
  expect(subscription?.pay_url).toMatch(/^http/)
  expect(subscription?.amount_due).toBe(2_900)
  expect(await yard.shown()).toMatchObject({ subscription: { stripe_status: 'active', status: 'active' } })
  expect((await yard.auditEvents()).at(-1)).toBe('payment_failed by Stripe')
  const letter = await mailbox.next(yard.owner.email)
  expect(letter.subject).toMatch(/^The payment for .* failed/)
  expect(letter.text).toContain('keep running')
  expect(letter.text).toContain(`/dashboard/billing?workspace=${yard.workspace}`)

  await pass({ days: 8 })
  await runWatch(slipway.ctx)
  await runWatch(slipway.ctx)
  expect(await yard.shown()).toMatchObject({
    on_trial: false,
    subscription: { stripe_status: 'past_due', status: 'past_due' },
  })
  expect((await yard.auditEvents()).filter((one) => one.startsWith('grace'))).toEqual([
    'grace_ended by Slipway',
  ])
  expect((await mailbox.next(yard.owner.email, 2)).subject).toContain('is paused')

  const { body } = await yard.refused('team', 409, 'payment_due')
  expect(body).toMatchObject({ url: subscription?.pay_url })
  stripe.setCard(await yard.customer(), 'ok')
  expect(await stripe.pay(subscription?.pay_url ?? '')).toHaveProperty('to')
  await pass({})
  expect(await yard.shown()).toMatchObject({ subscription: { stripe_status: 'active', status: 'active' } })
  expect((await yard.auditEvents()).at(-1)).toBe('recovered by Stripe')
  expect(await yard.subscription()).toMatchObject({
    subscription: { pay_url: null, amount_due: null, payment_failed_at: null, grace_ends_at: null },
  })
})

test('ends a plan that is never paid and allows subscribing again', async () => {
  stripe.settings.afterRetries = 'cancel'
  const yard = await newYard()
  await yard.buy('pro', onceOnly)
  await pass({ days: 31, hours: 2 })
  await pass({ days: 20 })
  expect(await yard.shown()).toMatchObject({ subscription: { status: 'canceled' } })
  expect((await yard.auditEvents()).at(-1)).toBe('ended by Stripe')
  expect((await mailbox.next(yard.owner.email, 2)).subject).toMatch(/^The plan of .* has ended/)
  expect(await yard.buy('pro')).toMatchObject({ subscription: { status: 'active' } })
})

test('denies access to an unpaid subscription and links the invoice', async () => {
  stripe.settings.afterRetries = 'unpaid'
  const yard = await newYard()
  await yard.buy('pro', onceOnly)
  await pass({ days: 31, hours: 2 })
  await pass({ days: 20 })
  expect(await yard.shown()).toMatchObject({ subscription: { stripe_status: 'unpaid', status: 'unpaid' } })
  const { body } = await yard.refused('pro', 409, 'payment_due')
  expect(body).toMatchObject({ url: expect.stringMatching(/^http/) })
})

/** Creates an overdue payment and pays it while all webhooks are lost. */
async function payInSilence() {
  stripe.settings.afterRetries = 'past_due'
  const yard = await newYard()
  await yard.buy('pro', onceOnly)
  await pass({ days: 31, hours: 2 })
  const { subscription } = await yard.subscription()
  stripe.webhooks.lose()
  stripe.setCard(await yard.customer(), 'ok')
  expect(await stripe.pay(subscription?.pay_url ?? '')).toHaveProperty('to')
  await settled()
  expect(await yard.row()).toMatchObject({ stripe_status: 'past_due' })
  return yard
}

test('restores access on the next visit after payment when the webhook was lost', async () => {
  const yard = await payInSilence()
  await stripe.advance({ seconds: 90 })
  await Promise.all([yard.subscription(), yard.subscription()])
  await settled()
  expect(await yard.subscription()).toMatchObject({
    subscription: { pay_url: null, payment_failed_at: null },
  })
  expect((await yard.auditEvents()).at(-1)).toBe('recovered by Stripe')
})

test('restores access within an hour without a visit, before another reminder', async () => {
  const yard = await payInSilence()
  await stripe.advance({ days: 8 })
  await runWatch(slipway.ctx)
  expect(await yard.row()).toMatchObject({ stripe_status: 'active', past_due_since: null })
  expect((await yard.auditEvents()).filter((one) => one.startsWith('grace'))).toEqual([])
})

test('refreshes the subscription only after its period ended', async () => {
  const yard = await newYard()
  await yard.buy('pro')
  await yard.cancel()
  await pass({ days: 20 })
  const customer = await yard.customer()
  const asked = () => stripe.requests.filter(({ params }) => params['customer'] === customer).length
  const before = asked()
  await yard.subscription()
  await settled()
  expect(asked()).toBe(before)
  stripe.webhooks.lose()
  await stripe.advance({ days: 12 })
  await yard.subscription()
  await settled()
  expect(await yard.row()).toMatchObject({ stripe_status: 'canceled' })
})

test('notifies once three days before the trial ends and once when it ended', async () => {
  const yard = await newYard({ trialDays: 2 })
  await runWatch(slipway.ctx)
  await runWatch(slipway.ctx)
  expect(await yard.auditEvents()).toEqual(['trial_ending by Slipway'])
  expect((await mailbox.next(yard.owner.email)).subject).toMatch(/^The trial of .* ends soon/)
  await pass({ days: 3 })
  await runWatch(slipway.ctx)
  await runWatch(slipway.ctx)
  expect(await yard.auditEvents()).toEqual(['trial_ending by Slipway', 'trial_ended by Slipway'])
  expect((await mailbox.next(yard.owner.email, 2)).subject).toMatch(/has ended/)
  expect(mailbox.to(yard.owner.email)).toHaveLength(2)
  expect(mailbox.to(yard.admin.email)).toHaveLength(0)
})

test('sends no trial notification to a paying workspace', async () => {
  const yard = await newYard({ trialDays: 2 })
  await yard.buy('pro')
  await pass({ days: 3 })
  await runWatch(slipway.ctx)
  expect((await yard.auditEvents()).filter((one) => one.startsWith('trial'))).toEqual([])
})

test('sends no trial notification to a workspace without a trial', async () => {
  const yard = await newYard()
  // The workspace was created after the trial ended.
  await setTrial(stage.db, yard.workspace, new Date(Date.now() - 86_400_000))
  await runWatch(slipway.ctx)
  expect(await yard.auditEvents()).toEqual([])
  expect(mailbox.to(yard.owner.email)).toHaveLength(0)
})

import { afterAll, expect, test } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { openCheckout } from '../support/console/billing.ts'
import { outliveTrial } from '../support/browser/outlive-trial.ts'
import { button, heading, isAt, sees } from '../support/console/see.ts'
import { openConsole } from '../support/console/open-console.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
const stage = await openConsole({ ...stripe.env, OUTSIDE_TIMEOUT: '30' })
const { db } = stage.slipway

const choosePlan = '/dashboard/billing/choose-plan'
const success = (sessionId: string) => `/dashboard/billing/success?session_id=${sessionId}`

/** An owner without a plan, with an open Stripe page for Pro. */
async function atCheckout() {
  const { workspace, owner, member } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const checkout = await openCheckout(stage.slipway, owner.token)
  return { page: stage.page({ token: owner.token }), member, ...checkout }
}

test('reports that nothing was paid and links the plans', async () => {
  const { page, session } = await atCheckout()
  await page.goto(success(session))
  await sees(heading(page, 'Payment not completed'))
  await page.getByRole('main').getByRole('link', { name: 'Choose a plan' }).click()
  await isAt(page, choosePlan)
  // The same page is opened again.
  await button(page, 'Choose Pro').click()
  await expect
    .poll(() => page.calls.findLast(({ path }) => path === '/v1/billing/subscribe')?.answer)
    .toMatchObject({ url: expect.stringContaining(session) })
})

test('reports an expired page without a charge', async () => {
  const { page, session } = await atCheckout()
  const expired = stripe.sessions.find(({ id }) => id === session)
  if (expired) expired.status = 'expired'
  await page.goto(success(session))
  await sees(heading(page, 'Checkout expired'))
  await sees(page.getByText('You were not charged.', { exact: false }))
})

test('reports an ended plan or an overdue payment for an old URL', async () => {
  const { page, session, url } = await atCheckout()
  await stripe.pay(url)
  const { customer } = stripe.sessions.find(({ id }) => id === session) ?? {}
  const paid = stripe.subscriptions.find((one) => one.customer === customer)
  if (!paid) throw new Error('Nothing was paid for.')
  paid.status = 'unpaid'
  await page.goto(success(session))
  await sees(heading(page, 'A payment is overdue'))
  stripe.endSubscription(paid.id)
  await page.reload()
  await sees(heading(page, 'Plan ended'))
  await page.getByRole('main').getByRole('link', { name: 'Choose a plan' }).click()
  await isAt(page, choosePlan)
})

test('waits for a slow payment', async () => {
  const { page, session, url } = await atCheckout()
  await stripe.pay(url)
  const found = stripe.sessions.find(({ id }) => id === session)
  if (found) found.payment_status = 'unpaid'
  await page.goto(success(session))
  await sees(heading(page, 'Payment processing'))
  if (found) found.payment_status = 'paid'
  await sees(heading(page, 'You are on the Pro plan'))
})

test('ignores the payment of another workspace', async () => {
  const { session } = await atCheckout()
  const { owner } = await makeTeam(db)
  const page = stage.page({ token: owner.token })
  await page.goto(success(session))
  await sees(heading(page, 'This payment belongs to another workspace'))
})

test('reports that Stripe is unreachable and retries', async () => {
  const { page, session, url } = await atCheckout()
  await stripe.pay(url)
  await stripe.down('500')
  await page.goto(success(session))
  await sees(heading(page, 'Could not confirm payment'))
  await stripe.up()
  await button(page, 'Try again').click()
  await sees(heading(page, 'You are on the Pro plan'))
})

test('redirects without a payment, and for other members', async () => {
  const { page, member, session } = await atCheckout()
  await page.goto(`/dashboard/billing/success`)
  await isAt(page, choosePlan)
  const theirs = stage.page({ token: member.token })
  await theirs.goto(success(session))
  await isAt(theirs, choosePlan)
  expect(stripe.sessions.find(({ id }) => id === session)?.status).toBe('open')
})

import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeSubscription, setTrial } from '../support/factories/billing-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { accountMenu, cards, payOnPage, plan, typeCard } from '../support/browser/billing-stage.ts'
import { outliveTrial } from '../support/browser/outlive-trial.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
const stage = await openStage({ ...stripe.env, ROLE: 'web', OUTSIDE_TIMEOUT: '30' })
const { db } = stage.database

const choosePlan = '/dashboard/billing/choose-plan'
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

/** Simulates another tab or owner. */
const post = async (token: string, path: string, body: object = {}): Promise<unknown> => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${stage.url}/v1/billing/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return answer.json()
}

/** Pays for a plan without a browser. */
async function pay(token: string, planId = 'pro') {
  const { url } = z.object({ url: z.string() }).parse(await post(token, 'subscribe', { plan_id: planId }))
  await stripe.pay(url)
  const id = stripe.sessions.find((one) => url.includes(one.id))?.id ?? ''
  await post(token, 'confirm', { session_id: id })
  return { session: id, customer: stripe.sessions.find((one) => one.id === id)?.customer ?? '' }
}

test('lets an owner on trial choose a plan, pay at Stripe and return', async () => {
  const { workspace, owner } = await makeTeam(db)
  await setTrial(db, workspace, inDays(9))
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard')
  // Calendar days count, so midnight may take one.
  await sees(plan(page, 'Trial Plan [89] days left'))
  await (await accountMenu(page)).getByRole('menuitem', { name: 'Upgrade to Pro' }).click()
  await isAt(page, choosePlan)
  await sees(page.getByText('If you choose a plan now, the first payment is due on that day.'))
  const before = stripe.sessions.length
  await button(page, 'Choose Pro').dblclick()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  expect(stripe.sessions.length - before).toBe(1)
  await payOnPage(page, cards.good, 'Start trial')
  await sees(heading(page, 'You are on the Pro plan'))
  await sees(page.getByText(/^Your trial continues until/))
  await sees(plan(page, 'Pro Plan'))
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await isAt(page, '/dashboard')
  await misses((await accountMenu(page)).getByText('Upgrade to Pro'))
})

longTest('keeps the plans available after aborting at Stripe', async () => {
  const { owner } = await makeTeam(db)
  const page = await stage.page({ token: owner.token })
  await page.goto(choosePlan)
  await sees(page.getByText('If you choose a plan now, you are charged immediately.'))
  await button(page, 'Choose Pro').click()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  await page.goBack()
  await button(page, 'Choose Team').click()
  await sees(page.getByRole('heading', { name: /Team/ }))
  await page.getByRole('link', { name: 'Back' }).click()
  await isAt(page, choosePlan)
})

longTest('changes the plan after the card was confirmed', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const { customer } = await pay(owner.token)
  stripe.setCard(customer, 'needs_action')
  const page = await stage.page({ token: owner.token })
  await page.goto(`${choosePlan}?dialog=change-team`)
  await page.getByRole('button', { name: /^Upgrade and pay \$\d/ }).click()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  // After the return no dialog asks again.
  await page.goBack()
  await isAt(page, choosePlan)
  await sees(plan(page, 'Pro Plan'))
  await page.goForward()
  const held = stripe.subscriptions.find((one) => one.customer === customer)
  expect(held?.items[0]?.price).toBe('price_pro')
  await typeCard(page, cards.good)
  await page.getByRole('button', { name: /^Pay \$\d/ }).click()
  await expect.poll(() => held?.items[0]?.price).toBe('price_team')
})

longTest('opens card and invoices at Stripe and returns', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  await pay(owner.token)
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard/billing')
  await button(page, 'Open').click()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  await sees(page.getByText('$29.00').first())
  await page.getByRole('link', { name: /^Return to/ }).click()
  await isAt(page, '/dashboard/billing')
})

test('allows export and deletion without a plan', async () => {
  const { workspace, owner } = await makeTeam(db)
  await makeShownServer(db, workspace)
  await makeSubscription(db, workspace, { status: 'canceled' })
  await outliveTrial(db, workspace)
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard')
  await sees(page.getByRole('region', { name: 'The plan has ended' }))
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()])
  expect(file.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/)
  await button(page, 'Delete web-1').click()
  const question = page.getByRole('alertdialog', { name: 'Delete web-1?' })
  await field(question, 'Type web-1 to confirm').fill('web-1')
  await button(question, 'Delete server').click()
  await sees(toast(page, 'Server deleted'))
  await misses(question)
  await misses(page.getByRole('table', { name: 'Servers' }))
  await isAt(page, choosePlan)
  await button(page, 'Delete workspace').click()
  await sees(page.getByRole('alertdialog', { name: /^Delete / }))
})

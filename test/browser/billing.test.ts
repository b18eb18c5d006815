import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeSubscription, setTrial } from '../support/factories/billing-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { accountMenu, cards, payOnPage, plan, typeCard } from '../support/browser/billing-stage.ts'
import { outliveTrial } from '../support/browser/outlive-trial.ts'
import { button, field, goTo, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
const stage = await openStage({ ...stripe.env, ROLE: 'web', OUTSIDE_TIMEOUT: '30' })
const { db } = stage.database

const choosePlan = '/dashboard/billing/choose-plan'
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

/** As another tab or another owner would. */
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

test('an owner on trial chooses a plan, pays on the page of Stripe and comes back to it', async () => {
  const { workspace, owner } = await makeTeam(db)
  await setTrial(db, workspace, inDays(9))
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard')
  await sees(plan(page, 'Trial Plan 9 days left'))
  await (await accountMenu(page)).getByRole('menuitem', { name: 'Upgrade to Pro' }).click()
  await isAt(page, choosePlan)
  await sees(page.getByText('Choose now, and you pay from that day on.'))
  const before = stripe.sessions.length
  await button(page, 'Choose Pro').dblclick()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  expect(stripe.sessions.length - before).toBe(1)
  await payOnPage(page, cards.good, 'Start trial')
  await sees(heading(page, 'You are on the Pro plan'))
  await sees(page.getByText(/^Your trial goes on until/))
  await sees(plan(page, 'Pro Plan'))
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await isAt(page, '/dashboard')
  await misses((await accountMenu(page)).getByText('Upgrade to Pro'))
})

test('who thinks better of it on the page of Stripe finds the plans as they were, and may choose another', async () => {
  const { owner } = await makeTeam(db)
  const page = await stage.page({ token: owner.token })
  await page.goto(choosePlan)
  await sees(page.getByText('A plan that is chosen now is paid for at once.'))
  await button(page, 'Choose Pro').click()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  await page.goBack()
  await button(page, 'Choose Team').click()
  await sees(page.getByRole('heading', { name: /Team/ }))
  await page.getByRole('link', { name: 'Back' }).click()
  await isAt(page, choosePlan)
})

test('while Stripe is away the choice says so, and can be made once it is back', async () => {
  const { owner } = await makeTeam(db)
  const page = await stage.page({ token: owner.token })
  await page.goto(choosePlan)
  await sees(button(page, 'Choose Pro'))
  stage.expectError(/status of 50\d.*\/v1\/billing\/subscribe/)
  await stripe.down('500')
  await button(page, 'Choose Pro').click()
  await sees(page.getByRole('region', { name: 'Notifications' }).getByText(/Stripe/))
  await stripe.up()
  await button(page, 'Choose Pro').click()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
})

test('who is no owner sees the plans and whom to ask, and is offered none', async () => {
  const { owner, admin } = await makeTeam(db)
  const page = await stage.page({ token: admin.token })
  await page.goto('/dashboard')
  await misses((await accountMenu(page)).getByText('Upgrade to Pro'))
  await goTo(page, choosePlan)
  await sees(page.getByText(`To have it changed, ask ${owner.name}.`))
  expect(await page.getByRole('list', { name: 'Plans' }).getByRole('button').count()).toBe(0)
  await goTo(page, '/dashboard/billing')
  await sees(page.getByText('Trial Plan', { exact: true }).last())
  expect(await button(page, 'Cancel plan').count()).toBe(0)
})

test('without a plan every page leads to the plans, and nothing else is offered', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard')
  for (const path of [
    '/servers',
    '/applications/create',
    '/settings',
    '/workspace',
    '/billing',
    '/nowhere',
  ]) {
    await goTo(page, `/dashboard${path}`)
    await isAt(page, choosePlan)
  }
  await sees(page.getByRole('region', { name: 'The trial has ended' }))
  await sees(plan(page, 'No plan'))
  expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
    'Choose a plan',
  ])
  expect(await (await accountMenu(page)).getByRole('menuitem').allTextContents()).toEqual([
    'Keyboard shortcuts?',
    'Send feedback',
    'Log out',
  ])
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await isAt(page, choosePlan)
  await page.keyboard.press('Control+k')
  await sees(page.getByRole('option', { name: 'Choose a plan' }))
  expect(await page.getByRole('option', { name: /Servers|Settings|New application/ }).count()).toBe(0)
})

test('a page lets go by itself when somebody else pays, and goes on where one wanted to', async () => {
  const { workspace, owner, member } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const page = await stage.page({ token: member.token })
  await page.goto('/dashboard/servers')
  await isAt(page, choosePlan)
  await sees(page.getByText(`an owner has to choose a plan: ask ${owner.name}.`))
  await pay(owner.token)
  await isAt(page, '/dashboard/servers')
  await sees(plan(page, 'Pro Plan'))
})

test('a trial that ends while one looks leads to the plans', async () => {
  const { workspace, viewer } = await makeTeam(db)
  await setTrial(db, workspace, new Date(Date.now() + 8000))
  const page = await stage.page({ token: viewer.token })
  await page.goto('/dashboard/servers')
  await sees(plan(page, 'Trial Plan (ends today|1 day left)'))
  await isAt(page, choosePlan)
  await sees(page.getByText('The trial has ended'))
})

test('what is refused for want of a plan says so, and the page is led to where one is chosen', async () => {
  const { workspace, owner } = await makeTeam(db)
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard/workspace?dialog=invite')
  await field(page.getByRole('dialog'), 'Email').fill('new@example.com')
  await outliveTrial(db, workspace)
  await button(page, 'Create invite link').click()
  await isAt(page, choosePlan)
  await sees(
    toast(
      page,
      'The trial of this workspace has ended. Choose a plan; what is deployed keeps running meanwhile.',
    ),
  )
})

test('a limit of the plan says so with a way to a larger one, and what was typed stays', async () => {
  const { workspace, owner } = await makeTeam(db)
  await makeSubscription(db, workspace, { plan: 'hobby' })
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard/workspace?dialog=invite')
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await field(dialog, 'Email').fill('new@example.com')
  await button(dialog, 'Create invite link').click()
  const told = page.locator('[data-sonner-toast]').filter({ hasText: /The plan Hobby allows 1 member/ })
  await sees(told)
  expect(await field(dialog, 'Email').inputValue()).toBe('new@example.com')
  await told.locator('button', { hasText: 'Choose a plan' }).click()
  await isAt(page, choosePlan)
})

test('another plan says what it costs before it is taken, and a card that is declined changes nothing', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const { customer } = await pay(owner.token)
  const page = await stage.page({ token: owner.token })
  await page.goto(choosePlan)
  stripe.setCard(customer, 'declined')
  await button(page, 'Upgrade to Team').click()
  await isAt(page, `${choosePlan}?dialog=change-team`)
  const dialog = page.getByRole('dialog', { name: 'Upgrade to Team?' })
  const confirm = dialog.getByRole('button', { name: /^Upgrade and pay \$\d/ })
  await confirm.click()
  await sees(dialog.getByText('The plan was not changed'))
  await sees(button(dialog, 'Change the card'))
  await sees(page.getByText('Pro Plan', { exact: true }))

  stripe.setCard(customer, 'ok')
  await confirm.click()
  await misses(dialog)
  await sees(toast(page, 'You are on the Team plan now.'))
  await sees(plan(page, 'Team Plan'))
  await sees(button(page, 'Change to Hobby'))
})

test('a card that asks for confirmation leads to where that is given, and the plan changes with it', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const { customer } = await pay(owner.token)
  stripe.setCard(customer, 'needs_action')
  const page = await stage.page({ token: owner.token })
  await page.goto(`${choosePlan}?dialog=change-team`)
  await page.getByRole('button', { name: /^Upgrade and pay \$\d/ }).click()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  // Who comes back finds no question that would be answered twice.
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

test('a smaller plan says what it allows less of', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  await pay(owner.token)
  const page = await stage.page({ token: owner.token })
  await page.goto(`${choosePlan}?dialog=change-hobby`)
  const dialog = page.getByRole('dialog', { name: 'Change to Hobby?' })
  await sees(
    dialog.getByText(/^You have 4 members.*this plan allows 1. Nothing is deleted, but no more can be added/),
  )
  await sees(dialog.getByText(/taken off the payments to come$/))
  await button(dialog, 'Change to Hobby').click()
  await sees(plan(page, 'Hobby Plan'))
  await goTo(page, '/dashboard/billing')
  await sees(page.getByText('More than this plan allows: what is there stays, and no more can be added.'))
})

test('a plan is cancelled to the end of what is paid for, and kept after all', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  await pay(owner.token)
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard/billing')
  await button(page, 'Cancel plan').click()
  const question = page.getByRole('alertdialog', { name: 'Cancel the Pro plan?' })
  await sees(question.getByText(/^You keep access to everything until \d+ \w+ \d{4}/))
  await button(question, 'Keep plan').click()
  await misses(question)
  await button(page, 'Cancel plan').click()
  await button(question, 'Cancel plan').click()
  await sees(toast(page, 'The Pro plan was cancelled.'))
  await sees(plan(page, 'Pro Plan ends \\d+ \\w+'))
  await misses(button(page, 'Cancel plan'))
  await button(page, 'Keep plan').click()
  await sees(toast(page, 'You keep the Pro plan.'))
  await sees(plan(page, 'Pro Plan'))
})

test('card and invoices are on a page of Stripe, which leads back', async () => {
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

test('a payment that is owed is told everywhere, with the ways to mend it', async () => {
  const { workspace, owner, member } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const owed = { status: 'past_due', pay_url: `${stripe.url}/invoice/none` }
  await makeSubscription(db, workspace, { ...owed, past_due_since: inDays(-2) })
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard/billing')
  await sees(plan(page, 'Pro Plan payment due'))
  const notice = page.getByRole('region', { name: 'A payment did not come through' })
  await sees(button(notice, 'Change the card'))
  expect(await notice.getByRole('link', { name: 'Pay now' }).getAttribute('href')).toBe(owed.pay_url)
  await goTo(page, choosePlan)
  await sees(page.getByText('The plan can be changed once what is owed is paid.'))
  const current = page.getByRole('listitem').filter({ hasText: 'Current plan' })
  // What they pay, and not what it costs by now.
  await sees(current.getByText('€20.00', { exact: true }))
  expect(await page.getByRole('button', { name: /to Team$/ }).isDisabled()).toBe(true)

  await makeSubscription(db, workspace, { ...owed, past_due_since: inDays(-8) })
  await page.goto('/dashboard')
  await isAt(page, choosePlan)
  await sees(page.getByRole('region', { name: 'A payment is owed' }).getByRole('link', { name: 'Pay now' }))
  const theirs = await stage.visitor({ token: member.token })
  await theirs.goto('/dashboard')
  await sees(theirs.getByText(`an owner has to pay: ask ${owner.name}.`))
})

test('without a plan one’s data can be taken along and deleted', async () => {
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
  await sees(toast(page, 'web-1 was deleted.'))
  await misses(question)
  await misses(page.getByRole('table', { name: 'Servers' }))
  await isAt(page, choosePlan)
  await button(page, 'Delete workspace').click()
  await sees(page.getByRole('alertdialog', { name: /^Delete / }))
})

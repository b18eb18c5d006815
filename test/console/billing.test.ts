import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeSubscription, setTrial } from '../support/factories/billing-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { accountMenu, payForPlan, plan } from '../support/console/billing.ts'
import { outliveTrial } from '../support/browser/outlive-trial.ts'
import { button, field, isAt, misses, sees, toast } from '../support/console/see.ts'
import { openConsole } from '../support/console/open-console.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
const stage = await openConsole({ ...stripe.env, OUTSIDE_TIMEOUT: '30' })
const { db } = stage.slipway

const choosePlan = '/dashboard/billing/choose-plan'
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

const pay = (token: string) => payForPlan(stage.slipway, stripe, token)

test('reports that Stripe is unreachable, and continues afterwards', async () => {
  const { owner } = await makeTeam(db)
  const page = stage.page({ token: owner.token })
  await page.goto(choosePlan)
  await sees(button(page, 'Choose Pro'))
  await stripe.down('500')
  await button(page, 'Choose Pro').click()
  await sees(page.getByRole('region', { name: 'Notifications' }).getByText(/Stripe/))
  await stripe.up()
  await button(page, 'Choose Pro').click()
  await expect
    .poll(() => page.calls.findLast(({ path }) => path === '/v1/billing/subscribe')?.answer)
    .toMatchObject({ url: expect.stringContaining(stripe.url) })
})

test('shows plans and owners to members without a choice', async () => {
  const { owner, admin } = await makeTeam(db)
  const page = stage.page({ token: admin.token })
  await page.goto('/dashboard')
  await sees((await accountMenu(page)).getByRole('menuitem', { name: `Upgrade to Pro Ask ${owner.name}` }))
  await page.keyboard.press('Escape')
  await page.follow(choosePlan)
  await sees(page.getByText(`To change the plan, ask ${owner.name}.`))
  await expect.poll(() => page.getByRole('list', { name: 'Plans' }).getByRole('button').count()).toBe(0)
  await page.follow('/dashboard/billing')
  await sees(page.getByText('Trial Plan', { exact: true }).last())
  await expect.poll(() => button(page, 'Cancel plan').count()).toBe(0)
})

test('leads every page to the plans without one', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard')
  for (const path of [
    '/servers',
    '/applications/create',
    '/settings',
    '/workspace',
    '/billing',
    '/nowhere',
  ]) {
    await page.follow(`/dashboard${path}`)
    await isAt(page, choosePlan)
  }
  await sees(page.getByRole('region', { name: 'The trial has ended' }))
  await sees(plan(page, 'No plan'))
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents())
    .toEqual(['Choose a plan'])
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
  await expect
    .poll(() => page.getByRole('option', { name: /Servers|Settings|New application/ }).count())
    .toBe(0)
})

test('unlocks a page when another member pays', async () => {
  const { workspace, owner, member } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const page = stage.page({ token: member.token })
  await page.goto('/dashboard/servers')
  await isAt(page, choosePlan)
  await sees(page.getByText(`ask ${owner.name} to choose a plan.`))
  await pay(owner.token)
  await isAt(page, '/dashboard/servers')
  await sees(plan(page, 'Pro Plan'))
})

test('leads to the plans when the trial ends meanwhile', async () => {
  const { workspace, viewer } = await makeTeam(db)
  const end = new Date(Date.now() + 2000)
  await setTrial(db, workspace, end)
  // The server's clock stands still until the page is seen.
  const { ctx } = stage.slipway
  const release = () => void (ctx.now = () => new Date())
  onTestFinished(release)
  ctx.now = () => new Date(end.getTime() - 1)
  const page = stage.page({ token: viewer.token })
  await page.goto('/dashboard/servers')
  await sees(plan(page, 'Trial Plan (ends today|1 day left)'))
  release()
  await isAt(page, choosePlan)
  await sees(page.getByText('The trial has ended'))
})

test('explains a refusal without a plan and links the plans', async () => {
  const { workspace, owner } = await makeTeam(db)
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard/workspace?dialog=invite')
  await field(page.getByRole('dialog'), 'Email').fill('new@example.com')
  await outliveTrial(db, workspace)
  await button(page, 'Create invite link').click()
  await isAt(page, choosePlan)
  await sees(
    toast(page, 'The trial of this workspace has ended. Choose a plan. Deployed applications keep running.'),
  )
})

test('explains a plan limit and keeps the input', async () => {
  const { workspace, owner } = await makeTeam(db)
  await makeSubscription(db, workspace, { plan: 'hobby' })
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard/workspace?dialog=invite')
  const dialog = page.getByRole('dialog', { name: 'Invite a member' })
  await field(dialog, 'Email').fill('new@example.com')
  await button(dialog, 'Create invite link').click()
  const toasts = page.locator('[data-sonner-toast]').filter({ hasText: /The plan Hobby allows 1 member/ })
  await sees(toasts)
  await expect.poll(() => field(dialog, 'Email').inputValue()).toBe('new@example.com')
  await toasts.locator('button', { hasText: 'Choose a plan' }).click()
  await isAt(page, choosePlan)
})

test('shows the cost of another plan first, and changes nothing when the card is declined', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const { customer } = await pay(owner.token)
  const page = stage.page({ token: owner.token })
  await page.goto(choosePlan)
  stripe.setCard(customer, 'declined')
  await button(page, 'Upgrade to Team').click()
  await isAt(page, `${choosePlan}?dialog=change-team`)
  const dialog = page.getByRole('dialog', { name: 'Upgrade to Team?' })
  const confirm = dialog.getByRole('button', { name: /^Upgrade and pay \$\d/ })
  await confirm.click()
  await sees(dialog.getByText('Could not change plan'))
  await sees(button(dialog, 'Update card'))
  await sees(page.getByText('Pro Plan', { exact: true }))

  stripe.setCard(customer, 'ok')
  await confirm.click()
  await misses(dialog)
  await sees(toast(page, 'Plan changed to Team'))
  await sees(plan(page, 'Team Plan'))
  await sees(button(page, 'Change to Hobby'))
})

test('shows what a smaller plan lacks', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  await pay(owner.token)
  const page = stage.page({ token: owner.token })
  await page.goto(`${choosePlan}?dialog=change-hobby`)
  const dialog = page.getByRole('dialog', { name: 'Change to Hobby?' })
  await sees(
    dialog.getByText(/^You have 4 members.*This plan allows 1. Nothing is deleted, but you cannot add more/),
  )
  await sees(dialog.getByText(/applied to future payments$/))
  await button(dialog, 'Change to Hobby').click()
  await sees(plan(page, 'Hobby Plan'))
  await page.follow('/dashboard/billing')
  await sees(page.getByText('Over the limit. Nothing is deleted, but you cannot add more.'))
})

test('cancels a plan at the end of the period, and resumes it', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  await pay(owner.token)
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard/billing')
  await button(page, 'Cancel plan').click()
  const question = page.getByRole('alertdialog', { name: 'Cancel the Pro plan?' })
  await sees(question.getByText(/^Your plan stays active until \d+ \w+ \d{4}/))
  await button(question, 'Keep plan').click()
  await misses(question)
  await button(page, 'Cancel plan').click()
  await button(question, 'Cancel plan').click()
  await sees(toast(page, 'Pro plan canceled'))
  await sees(plan(page, 'Pro Plan ends \\d+ \\w+'))
  await misses(button(page, 'Cancel plan'))
  await button(page, 'Keep plan').click()
  await sees(toast(page, 'Pro plan resumed'))
  await sees(plan(page, 'Pro Plan'))
})

test('shows an overdue payment everywhere', async () => {
  const { workspace, owner, member } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const owed = { status: 'past_due', pay_url: `${stripe.url}/invoice/none` }
  await makeSubscription(db, workspace, { ...owed, past_due_since: inDays(-2) })
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard/billing')
  await sees(plan(page, 'Pro Plan payment due'))
  const notice = page.getByRole('region', { name: 'A payment failed' })
  await sees(button(notice, 'Update card'))
  await expect
    .poll(() => notice.getByRole('link', { name: 'Pay now' }).getAttribute('href'))
    .toBe(owed.pay_url)
  await page.follow(choosePlan)
  await sees(page.getByText('You can change your plan after the overdue payment is made.'))
  const current = page.getByRole('listitem').filter({ hasText: 'Current plan' })
  // Shows what they pay, not the current price.
  await sees(current.getByText('€20.00', { exact: true }))
  await expect.poll(() => page.getByRole('button', { name: /to Team$/ }).isDisabled()).toBe(true)

  await makeSubscription(db, workspace, { ...owed, past_due_since: inDays(-8) })
  await page.goto('/dashboard')
  await isAt(page, choosePlan)
  await sees(
    page.getByRole('region', { name: 'A payment is overdue' }).getByRole('link', { name: 'Pay now' }),
  )
  const theirs = stage.page({ token: member.token })
  await theirs.goto('/dashboard')
  await sees(theirs.getByText(`ask ${owner.name} to pay.`))
})

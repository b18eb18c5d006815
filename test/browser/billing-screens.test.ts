import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { faults } from '../support/browser/faults.ts'
import { outliveTrial } from '../support/browser/outlive-trial.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, sees } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeSubscription, setTrial } from '../support/factories/billing-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { longTest } from '../support/run/campaign.ts'

const choosePlan = '/dashboard/billing/choose-plan'
const billing = '/dashboard/billing'
const text = (words: string | RegExp) => (page: Page) =>
  sees(page.getByText(words).filter({ visible: true }).first())
const notice = (name: string) => (page: Page) => sees(page.getByRole('region', { name, exact: true }))
const plan = (name: string) => (page: Page) =>
  sees(page.getByRole('list', { name: 'Plans' }).getByRole('heading', { name, exact: true }))

/** Screens of an owner during the trial. */
const trialScreens: Screen[] = [
  { name: 'plans on trial', path: choosePlan, shows: plan('Pro') },
  { name: 'billing on trial', path: billing, shows: text('Members and invites') },
  {
    name: 'sheet on trial',
    path: billing,
    after: (page) => button(page, 'Toggle the sidebar').click(),
    shows: (page) => sees(page.getByRole('dialog', { name: 'Navigation' }).getByText(/days left/)),
    phone: true,
  },
  {
    name: 'payment that is none of the workspace',
    path: `${billing}/success?session_id=cs_test_none`,
    shows: text('This payment belongs to another workspace'),
  },
]

/** Screens of a paid plan. */
const paidScreens: Screen[] = [
  { name: 'plans, with one of them', path: choosePlan, shows: text('Current plan') },
  {
    name: 'another plan',
    path: choosePlan,
    after: (page) => button(page, 'Upgrade to Team').click(),
    shows: (page) => sees(page.getByRole('dialog', { name: 'Upgrade to Team?' }).getByText('Then')),
  },
  {
    name: 'smaller plan',
    long: true,
    path: `${choosePlan}?dialog=change-hobby`,
    shows: text('Your usage exceeds this plan'),
  },
  { name: 'billing', path: billing, shows: text('Card and invoices') },
  {
    name: 'cancel the plan',
    path: `${billing}?dialog=cancel-plan`,
    shows: (page) => sees(page.getByRole('alertdialog', { name: 'Cancel the Pro plan?' })),
  },
  {
    name: 'delete a workspace that is paid for',
    path: '/dashboard/workspace/settings',
    after: (page) => button(page, 'Delete workspace').click(),
    shows: text(/The subscription ends immediately/),
  },
]

/** The screen after a payment. */
const thanksScreens = (sessionId: string): Screen[] => [
  {
    name: 'completed payment',
    path: `${billing}/success?session_id=${sessionId}`,
    shows: text('You are on the Pro plan'),
  },
]

/** Screens of a canceled plan. */
const endingScreens: Screen[] = [
  { name: 'billing, cancelled', path: billing, shows: notice('Plan canceled') },
  { name: 'plans, cancelled', path: choosePlan, shows: (page) => sees(button(page, 'Keep Pro')) },
]

/** A plan change that needs confirmation. */
const waitingScreens: Screen[] = [
  { name: 'billing, to confirm', path: billing, shows: notice('Confirm your change to Team') },
]

/** Screens with an overdue payment. */
const owedScreens: Screen[] = [
  { name: 'billing, owed', path: billing, shows: notice('A payment of €29.00 failed') },
  { name: 'plans, owed', path: choosePlan, shows: notice('A payment of €29.00 failed') },
]

/** Screens without a plan; `id` is an application. */
const lockedScreens = (id: string): Screen[] => [
  { name: 'no plan', path: choosePlan, shows: text('The trial has ended') },
  {
    name: 'delete without a plan',
    path: `${choosePlan}?dialog=delete-${id}`,
    shows: (page) => sees(page.getByRole('alertdialog', { name: /^Delete / })),
  },
  {
    name: 'palette without a plan',
    long: true,
    path: choosePlan,
    after: (page) => page.keyboard.press('Control+k'),
    shows: (page) => sees(page.getByRole('dialog', { name: 'Search or jump to' })),
  },
]

/** Screens of a workspace that is locked for an overdue payment. */
const lockedOwedScreens: Screen[] = [
  { name: 'no plan, owed', path: choosePlan, shows: notice('A payment is overdue') },
  {
    name: 'cancel what is owed for',
    path: `${choosePlan}?dialog=cancel-plan`,
    shows: (page) => sees(page.getByRole('alertdialog', { name: 'Cancel the Pro plan?' })),
  },
]

/** Screens of a workspace created after the trial. */
const bornLockedScreens: Screen[] = [
  { name: 'no plan yet', path: choosePlan, shows: text(/^You have already used your trial/) },
]

/** The same screens for a member who is not an owner. */
const lockedMemberScreens: Screen[] = [
  { name: 'no plan, for a member', path: choosePlan, shows: text(/ask .* to choose a plan/) },
]

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
// The longest plan name, and a plan that is not for sale.
stripe.addPrice('price_long', { unit_amount: 1_234_567, recurring: { interval: 'month', interval_count: 3 } })
const more = [
  { id: 'long', name: 'Averylongnamewithoutasinglespace'.repeat(2).slice(0, 40), price: 'price_long' },
  { id: 'gone', name: 'Gone', price: 'price_none' },
]
const plans: unknown = JSON.parse(stripe.env.PLANS)
// No worker calls Stripe, so that everything stays as shown.
const stage = await openStage({
  ...stripe.env,
  PLANS: JSON.stringify([...(Array.isArray(plans) ? plans : []), ...more]),
  ROLE: 'web',
})
const { db } = stage.database
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

longTest('has accessible trial screens that fit every width', async () => {
  const { workspace, owner } = await makeTeam(db)
  await setTrial(db, workspace, inDays(9))
  const page = await stage.page({ token: owner.token })
  expect(await faults(page, '/dashboard/billing', trialScreens)).toEqual([])
})

test('has accessible screens of a paid plan that fit every width', async () => {
  const { workspace, owner } = await makeTeam(db)
  await setTrial(db, workspace, inDays(1))
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard/billing/choose-plan')
  await button(page, 'Choose Pro').click()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  await stripe.pay(page.url())
  const screens = [...thanksScreens(stripe.sessions.at(-1)?.id ?? ''), ...paidScreens]
  expect(await faults(page, `${stage.url}/dashboard/billing`, screens)).toEqual([])
})

longTest('has accessible screens of ending and overdue plans that fit every width', async () => {
  const { workspace, owner } = await makeTeam(db)
  await makeSubscription(db, workspace, { cancel_at: inDays(20) })
  const page = await stage.page({ token: owner.token })
  expect(await faults(page, '/dashboard/billing', endingScreens)).toEqual([])
  const pay_url = 'https://invoice.example/pay'
  const held = { held_plan_id: 'team', held_url: pay_url, held_until: inDays(1) }
  await makeSubscription(db, workspace, { ...held, cancel_at: null })
  expect(await faults(page, '/dashboard/billing', waitingScreens)).toEqual([])
  const owed = { status: 'past_due', past_due_since: inDays(-2), held_url: null, owed_amount: 2_900 }
  await makeSubscription(db, workspace, { ...owed, pay_url })
  expect(await faults(page, '/dashboard/billing', owedScreens)).toEqual([])
})

test('has accessible screens without a plan that fit every width', async () => {
  const { workspace, owner, member } = await makeTeam(db)
  const server = await makeShownServer(db, workspace)
  const name = 'averylongnamewithoutasinglespace'.repeat(2).slice(0, 63)
  const id = await makeApplication(db, workspace, server, { name })
  await outliveTrial(db, workspace)
  const page = await stage.page({ token: owner.token })
  expect(await faults(page, '/dashboard', lockedScreens(id))).toEqual([])
  const theirs = await stage.page({ token: member.token })
  await theirs.goto('/dashboard')
  await sees(theirs.getByRole('heading', { name: 'Your data' }))
  expect(await faults(theirs, '/dashboard', lockedMemberScreens)).toEqual([])
})

longTest('has accessible screens of locked workspaces that fit every width', async () => {
  const { workspace, owner } = await makeTeam(db)
  await setTrial(db, workspace, inDays(-1))
  const page = await stage.page({ token: owner.token })
  expect(await faults(page, '/dashboard', bornLockedScreens)).toEqual([])
  const owed = { status: 'past_due', past_due_since: inDays(-9), pay_url: 'https://invoice.example/pay' }
  await makeSubscription(db, workspace, owed)
  expect(await faults(page, '/dashboard', lockedOwedScreens)).toEqual([])
})

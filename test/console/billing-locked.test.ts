import { afterAll, expect, test } from 'vitest'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeSubscription, setTrial } from '../support/factories/billing-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { openCheckout } from '../support/console/billing.ts'
import { outliveTrial } from '../support/browser/outlive-trial.ts'
import { button, field, isAt, misses, sees, toast } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
const stage = await openConsole({ ...stripe.env, OUTSIDE_TIMEOUT: '30' })
const { db } = stage.slipway

const choosePlan = '/dashboard/billing/choose-plan'
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

test('allows canceling and resuming a plan while locked for an overdue payment', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const page = stage.page({ token: owner.token })
  await stripe.pay((await openCheckout(stage.slipway, owner.token)).url)
  const paid = stripe.subscriptions.at(-1)
  if (!paid) throw new Error('Nothing was paid for.')
  paid.status = 'past_due'
  const owed = { status: 'past_due', past_due_since: inDays(-8), pay_url: `${stripe.url}/invoice/none` }
  await makeSubscription(db, workspace, { ...owed, customer_id: paid.customer, subscription_id: paid.id })
  await page.goto(choosePlan)
  await sees(page.getByRole('region', { name: 'A payment is overdue' }))
  await button(page, 'Cancel plan').click()
  const question = page.getByRole('alertdialog', { name: 'Cancel the Pro plan?' })
  await sees(question.getByText(/^The overdue payment remains due\. You are not charged again/))
  await button(question, 'Cancel plan').click()
  await sees(toast(page, 'Pro plan canceled'))
  expect(paid.cancel_at_period_end).toBe(true)
  await sees(page.getByText(/The plan is canceled and ends on/))
  await misses(button(page, 'Cancel plan'))
  await isAt(page, choosePlan)
  const notice = page.getByRole('region', { name: 'A payment is overdue' })
  await button(notice, 'Keep plan').click()
  await sees(toast(page, 'Pro plan resumed'))
  expect(paid.cancel_at_period_end).toBe(false)
  await sees(button(page, 'Cancel plan'))
})

test('allows a read token without a plan', async () => {
  const { workspace, owner } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard')
  await button(page, 'New token').click()
  const dialog = page.getByRole('dialog', { name: 'New API token' })
  await field(dialog, 'Name').fill('export')
  await button(dialog, 'Create token').click()
  await sees(page.getByRole('dialog', { name: 'API token export created' }))
  await isAt(page, `${choosePlan}?dialog=new-token`)
})

test('asks for a plan in a workspace created after the trial', async () => {
  const { workspace, owner, member } = await makeTeam(db)
  await setTrial(db, workspace, inDays(-1))
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard')
  await isAt(page, choosePlan)
  const notice = page.getByRole('region', { name: /^Choose a plan for / })
  await sees(notice.getByText(/^You have already used your trial/))
  await misses(page.getByText('The trial has ended'))
  const theirs = stage.page({ token: member.token })
  await theirs.goto('/dashboard')
  await sees(theirs.getByRole('region', { name: / has no plan yet$/ }).getByText(owner.name))
})

test('forgets an application on an unreachable server without a plan', async () => {
  const { workspace, owner } = await makeTeam(db)
  const server = await makeShownServer(db, workspace, { status: 'unreachable' })
  await makeApplication(db, workspace, server, { name: 'shop' })
  await outliveTrial(db, workspace)
  const page = stage.page({ token: owner.token })
  await page.goto('/dashboard')
  await button(page, 'Delete shop').click()
  const question = page.getByRole('alertdialog', { name: 'Delete shop?' })
  await field(question, 'Type shop to confirm').fill('shop')
  // The application was never deployed, so its server was never contacted.
  await button(question, 'Delete application').click()
  await question.getByRole('checkbox', { name: 'Keep the containers on the server' }).check()
  await button(question, 'Forget application').click()
  await misses(question)
  await misses(page.getByRole('table', { name: 'Applications' }))
})

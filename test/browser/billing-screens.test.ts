import { afterAll, expect, test } from 'vitest'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeSubscription, setTrial } from '../support/factories/billing-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { faults } from '../support/browser/faults.ts'
import {
  bornLockedScreens,
  endingScreens,
  lockedMemberScreens,
  lockedOwedScreens,
  lockedScreens,
  owedScreens,
  paidScreens,
  thanksScreens,
  trialScreens,
  waitingScreens,
} from '../support/browser/screens-billing.ts'
import { outliveTrial } from '../support/browser/outlive-trial.ts'
import { button, sees } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
// The longest name that a plan can have, and one that cannot be bought.
stripe.addPrice('price_long', { unit_amount: 1_234_567, recurring: { interval: 'month', interval_count: 3 } })
const more = [
  { id: 'long', name: 'Averylongnamewithoutasinglespace'.repeat(2).slice(0, 40), price: 'price_long' },
  { id: 'gone', name: 'Gone', price: 'price_none' },
]
const plans: unknown = JSON.parse(stripe.env.PLANS)
// Nobody asks Stripe of themselves: everything stays in the state that it is shown in.
const stage = await openStage({
  ...stripe.env,
  PLANS: JSON.stringify([...(Array.isArray(plans) ? plans : []), ...more]),
  ROLE: 'web',
})
const { db } = stage.database
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

test('of plans on trial axe finds nothing wrong and no screen is too wide', async () => {
  const { workspace, owner } = await makeTeam(db)
  await setTrial(db, workspace, inDays(9))
  const page = await stage.page({ token: owner.token })
  expect(await faults(page, '/dashboard/billing', trialScreens)).toEqual([])
}, 240_000)

test('of a plan that is paid for axe finds nothing wrong and no screen is too wide', async () => {
  const { workspace, owner } = await makeTeam(db)
  await setTrial(db, workspace, inDays(1))
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard/billing/choose-plan')
  await button(page, 'Choose Pro').click()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  await stripe.pay(page.url())
  const screens = [...thanksScreens(stripe.sessions.at(-1)?.id ?? ''), ...paidScreens]
  expect(await faults(page, `${stage.url}/dashboard/billing`, screens)).toEqual([])
}, 240_000)

test('of a plan that ends or is owed for axe finds nothing wrong and no screen is too wide', async () => {
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
}, 240_000)

test('of what is left without a plan axe finds nothing wrong and no screen is too wide', async () => {
  const { workspace, owner, member } = await makeTeam(db)
  const server = await makeShownServer(db, workspace)
  const name = 'averylongnamewithoutasinglespace'.repeat(2).slice(0, 63)
  const id = await makeApplication(db, workspace, server, { name })
  await outliveTrial(db, workspace)
  const page = await stage.page({ token: owner.token })
  expect(await faults(page, '/dashboard', lockedScreens(id))).toEqual([])
  const theirs = await stage.page({ token: member.token })
  await theirs.goto('/dashboard')
  await sees(theirs.getByText('Your data'))
  expect(await faults(theirs, '/dashboard', lockedMemberScreens)).toEqual([])
}, 240_000)

test('of what is locked for a debt, or from its first moment, axe finds nothing wrong and no screen is too wide', async () => {
  const { workspace, owner } = await makeTeam(db)
  await setTrial(db, workspace, inDays(-1))
  const page = await stage.page({ token: owner.token })
  expect(await faults(page, '/dashboard', bornLockedScreens)).toEqual([])
  const owed = { status: 'past_due', past_due_since: inDays(-9), pay_url: 'https://invoice.example/pay' }
  await makeSubscription(db, workspace, owed)
  expect(await faults(page, '/dashboard', lockedOwedScreens)).toEqual([])
}, 240_000)

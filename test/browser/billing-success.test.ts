import { afterAll, test } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { cards, payOnPage, plan } from '../support/browser/billing-stage.ts'
import { outliveTrial } from '../support/browser/outlive-trial.ts'
import { button, heading, isAt, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const stripe = await startFakeStripe()
afterAll(() => stripe.close())
const stage = await openStage({ ...stripe.env, ROLE: 'web', OUTSIDE_TIMEOUT: '30' })
const { db } = stage.database

const choosePlan = '/dashboard/billing/choose-plan'

/** An owner without a plan, on the Stripe page for Pro. */
async function atCheckout() {
  const { workspace, owner, member } = await makeTeam(db)
  await outliveTrial(db, workspace)
  const page = await stage.page({ token: owner.token })
  await page.goto(choosePlan)
  await button(page, 'Choose Pro').click()
  await page.waitForURL((url) => url.href.startsWith(stripe.url))
  return { page, member, session: stripe.sessions.at(-1)?.id ?? '' }
}

test('unlocks the workspace before the webhook arrives', async () => {
  const { page } = await atCheckout()
  await payOnPage(page, cards.good, 'Subscribe')
  await sees(heading(page, 'You are on the Pro plan'))
  await sees(page.getByText(/^Thank you. The next payment of \$29.00 is due on/))
  await sees(plan(page, 'Pro Plan'))
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await isAt(page, '/dashboard')
  await sees(page.getByRole('heading', { name: /^Welcome back/ }))
})

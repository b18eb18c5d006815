import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { exportAudit } from '../../contract/audit.ts'
import { listPlans } from '../../contract/billing.ts'
import { deployApplication } from '../../contract/deployments.ts'
import type { Id } from '../../contract/shared/ids.ts'
import { createProject } from '../../contract/projects.ts'
import { deleteServer, listServers } from '../../contract/servers.ts'
import { getCurrentWorkspace } from '../../contract/workspaces.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { startSlipway } from '../support/stages/context.ts'
import { startDeployer, startShops } from '../support/stages/deployments.ts'
import { makeServer, unique } from '../support/factories/factories.ts'
import { loadApp } from '../support/rig/load-app.ts'
import { takeSetUpHost } from '../support/stages/setups.ts'
import {
  accountMenu,
  cards,
  enter,
  openPayingStage,
  payOnPage,
  plan,
  typeCard,
} from '../support/browser/billing-stage.ts'
import { button, field, goTo, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'

const host = await takeSetUpHost()
await loadApp(host, '1')
const stage = await openPayingStage({ PROXY_IMAGE: host.image.name })
const { stripe, slipway, db, pass } = stage

vi.setConfig({ testTimeout: 300_000 })

const choosePlan = '/dashboard/billing/choose-plan'

test('leads a workspace through trial, payments, a failing card, plan changes and cancellation', async () => {
  const page = await stage.visitor()
  const { email } = await enter(page, stage.url)
  await seeTheTrialGoBy(page)
  await subscribeWithinTheTrial(page)
  await payMonthByMonth(page)
  await changeTheCardForOneThatFails(page)
  await oweAPayment(page)
  await payWhatIsOwed(page)
  await upgrade(page)
  const { servers, application } = await makeThings(page)
  await takeAPlanThatAllowsLess(page)
  await cancel(page)
  await beLedToThePlansAndNowhereElse(page)
  await useTheApiWithoutAPlan(page, application, servers[1])
  await subscribeAgain(page)
  expect(stripe.customers.filter((one) => one.email === email)).toHaveLength(1)
  expect(mine(stripe.subscriptions).map(({ status }) => status)).toEqual(['canceled', 'active'])
})

async function seeTheTrialGoBy(page: Page) {
  await sees(plan(page, 'Trial Plan 14 days left'))
  await pass({ days: 5 })
  await sees(plan(page, 'Trial Plan 9 days left'))
}

async function subscribeWithinTheTrial(page: Page) {
  await (await accountMenu(page)).getByRole('menuitem', { name: 'Upgrade to Pro' }).click()
  await isAt(page, choosePlan)
  await button(page, 'Choose Pro').click()
  await sees(heading(page, 'Subscribe to Pro'))
  // Aborting returns to the previous page without a charge.
  await page.getByRole('link', { name: 'Back' }).click()
  await isAt(page, choosePlan)
  await button(page, 'Choose Pro').click()
  await sees(page.getByText('9 days free, then $29.00 per month. Due today: $0.00.'))
  await payOnPage(page, cards.declined, 'Start trial')
  await sees(page.getByRole('alert').getByText(/declined/))
  await payOnPage(page, cards.good, 'Start trial')
  await sees(heading(page, 'You are on the Pro plan'))
  await sees(page.getByText(/^Your trial continues until .*, when the first payment of \$29\.00 is due\.$/))
  expect(page.context().pages()).toHaveLength(1)
  await sees(plan(page, 'Pro Plan'))
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await isAt(page, '/dashboard')
  await misses((await accountMenu(page)).getByRole('menuitem', { name: 'Upgrade to Pro' }))
  await page.keyboard.press('Escape')
  expect(mine(stripe.sessions)).toHaveLength(1)
  expect(paid()).toEqual([])
}

/** Objects of the latest workspace at Stripe. */
const mine = <T extends { customer: string | null }>(all: T[]) =>
  all.filter(({ customer }) => customer === stripe.customers.at(-1)?.id)

/** Amount paid so far, in cents. */
const paid = () =>
  mine(stripe.invoices)
    .filter(({ status, total }) => status === 'paid' && total > 0)
    .map(({ amount_paid }) => amount_paid)

async function payMonthByMonth(page: Page) {
  await pass({ days: 9, hours: 2 })
  expect(paid()).toEqual([2900])
  await pass({ days: 31 })
  await pass({ days: 31 })
  expect(paid()).toEqual([2900, 2900, 2900])
  await sees(plan(page, 'Pro Plan'))
}

async function changeTheCardForOneThatFails(page: Page) {
  await openBilling(page)
  await fact(page, 'Price', '$29.00 a month')
  await button(page, 'Open').click()
  await sees(page.getByText('visa ending in 4242'))
  const invoices = page.getByRole('region', { name: 'Invoice history' }).getByRole('row')
  expect(await invoices.filter({ hasText: '$29.00' }).filter({ hasText: 'paid' }).count()).toBe(3)
  await typeCard(page, cards.failing)
  await button(page, 'Update card').click()
  await sees(page.getByText('visa ending in 0341'))
  await page.getByRole('link', { name: /^Return to / }).click()
  await isAt(page, '/dashboard/billing')
}

async function openBilling(page: Page) {
  await (await accountMenu(page)).getByRole('menuitem', { name: 'Workspace' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Billing' }).click()
  await isAt(page, '/dashboard/billing')
}

const fact = (page: Page, term: string, value: string) =>
  sees(page.getByRole('main').locator('div', { hasText: term }).getByText(value, { exact: true }).first())

async function oweAPayment(page: Page) {
  // Uses a retry schedule that is longer than the grace period.
  stripe.settings.retryDays = [3, 5, 14]
  await pass({ days: 31 })
  await sees(plan(page, 'Pro Plan payment due'))
  await sees(page.getByRole('region', { name: 'A payment of $29.00 failed' }))
  await pass({ days: 5 })
  await page.goto('/dashboard/servers')
  await sees(heading(page, 'Servers'))
  await makeProject(page, 'In the days of grace')
  await pass({ days: 3 })
  await isAt(page, choosePlan)
  await sees(plan(page, 'No plan'))
}

/** Uses an authorized API token. */
async function makeProject(page: Page, name: string) {
  const { project } = await slipway.ok(createProject, { token: await tokenOf(page), body: { name } })
  return project
}

const tokenOf = async (page: Page) => (await page.evaluate(() => localStorage.getItem('token'))) ?? ''

async function payWhatIsOwed(page: Page) {
  const notice = page.getByRole('region', { name: 'A payment of $29.00 is overdue' })
  await sees(notice.getByText(/Applications keep running\./))
  await sees(button(notice, 'Update card'))
  await notice.getByRole('link', { name: 'Pay now' }).click()
  await typeCard(page, cards.good)
  await button(page, 'Pay $29.00').click()
  await sees(page.getByText('Status: paid'))
  await stage.settled()
  await page.goto('/dashboard/servers')
  await sees(heading(page, 'Servers'))
  await sees(plan(page, 'Pro Plan'))
  expect(paid()).toHaveLength(4)
}

async function upgrade(page: Page) {
  await openBilling(page)
  await page.getByRole('link', { name: 'Change plan' }).click()
  await button(page, 'Upgrade to Team').click()
  const dialog = page.getByRole('dialog', { name: 'Upgrade to Team?' })
  const confirm = dialog.getByRole('button', { name: /^Upgrade and pay / })
  const cents = Math.round(Number(/\$([\d.]+)$/.exec(await textOf(confirm))?.[1]) * 100)
  expect(cents).toBeGreaterThan(0)
  expect(cents).toBeLessThan(9900 - 2900)
  await sees(dialog.getByText(/^\$99\.00 a month, first on /))
  expect(paid()).toHaveLength(4)
  await confirm.click()
  await sees(toast(page, 'Plan changed to Team'))
  await sees(plan(page, 'Team Plan'))
  // Allows a second of difference.
  expect(Math.abs((paid()[4] ?? 0) - cents)).toBeLessThanOrEqual(1)
}

async function textOf(locator: Locator) {
  await sees(locator)
  return (await locator.textContent()) ?? ''
}

async function makeThings(page: Page) {
  const token = await tokenOf(page)
  const { workspace } = await slipway.ok(getCurrentWorkspace, { token })
  const servers = [
    await makeShownServer(db, workspace.id, { name: 'web-1' }),
    await makeShownServer(db, workspace.id, { name: 'web-2' }),
  ] as const
  const application = await makeApplication(db, workspace.id, servers[0])
  expect((await slipway.ok(listServers, { token })).servers).toHaveLength(2)
  return { servers, application }
}

async function takeAPlanThatAllowsLess(page: Page) {
  await page.goto(choosePlan)
  await button(page, 'Change to Hobby').click()
  const dialog = page.getByRole('dialog', { name: 'Change to Hobby?' })
  await sees(dialog.getByText(/You have 2 servers\. This plan allows 1\. Nothing is deleted/))
  await sees(dialog.getByText(/, applied to future payments$/))
  await button(dialog, 'Change to Hobby').click()
  await sees(plan(page, 'Hobby Plan'))
  expect(paid()).toHaveLength(5)
  await page.goto('/dashboard/servers')
  for (const name of ['web-1', 'web-2']) await sees(page.getByRole('link', { name, exact: true }))
  await page.goto('/dashboard/import/servers?way=ssh')
  await field(page, 'Name').fill('web-3')
  await field(page, 'Address').fill('203.0.113.12')
  await field(page, 'Address').press('Control+Enter')
  const why =
    'The plan Hobby allows 1 server, and this workspace has 2. Choose a larger plan, or delete a server.'
  await sees(page.getByText(why).first())
}

async function cancel(page: Page) {
  await openBilling(page)
  await button(page, 'Cancel plan').click()
  const dialog = page.getByRole('alertdialog', { name: 'Cancel the Hobby plan?' })
  await sees(dialog.getByText(/^Your plan stays active until .*, and you are not charged again\.$/))
  await button(dialog, 'Cancel plan').click()
  await sees(toast(page, 'Hobby plan canceled'))
  await sees(plan(page, 'Hobby Plan ends \\d+ \\w+'))
  await pass({ days: 1 })
  await page.goto('/dashboard/projects')
  await makeProject(page, 'Until the end of the period')
  await sees(page.getByText('Until the end of the period'))
  await pass({ days: 31 })
  await isAt(page, choosePlan)
}

async function beLedToThePlansAndNowhereElse(page: Page) {
  await sees(plan(page, 'No plan'))
  await sees(page.getByRole('region', { name: 'The plan has ended' }))
  const elsewhere = [
    '',
    '/servers',
    '/applications/create',
    '/projects',
    '/templates',
    '/notifications/alerts',
  ]
  const ownAndBilling = [
    '/integrations',
    '/workspace/members',
    '/settings',
    '/settings/security',
    '/billing',
    '/no-such',
  ]
  for (const path of [...elsewhere, ...ownAndBilling]) {
    await goTo(page, `/dashboard${path}`)
    await isAt(page, choosePlan)
    await sees(heading(page, 'Choose a plan'))
  }
  await page.goto('/dashboard/applications')
  await isAt(page, choosePlan)
  await page.goBack()
  await isAt(page, choosePlan)
  await sees(page.getByRole('region', { name: 'The plan has ended' }))
  const ways = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  expect(await ways.allTextContents()).toEqual(['Choose a plan'])
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  await sees(palette.getByRole('option', { name: 'Choose a plan' }))
  expect(
    await palette
      .getByRole('option', { name: /Servers|Applications|Billing|Settings|^New (?!workspace)/ })
      .count(),
  ).toBe(0)
  await page.keyboard.press('Escape')
  await misses(palette)
  await isAt(page, choosePlan)
}

async function useTheApiWithoutAPlan(page: Page, application: Id<'application'>, server: Id<'server'>) {
  const token = await tokenOf(page)
  const deploy = { token, params: { id: application }, body: {} }
  const { body } = await slipway.refused(deployApplication, deploy, 402, 'no_plan')
  expect(body).toMatchObject({ url: expect.stringMatching(`^${stage.url}${choosePlan}\\?workspace=wsp_`) })
  expect((await slipway.ok(listServers, { token })).servers).toHaveLength(2)
  expect((await slipway.call(exportAudit.key, { token })).text).toContain('Hobby')
  await slipway.ok(deleteServer, { token, params: { id: server } })
  await slipway.refused(createProject, { token, body: { name: 'One more' } }, 402, 'no_plan')
}

async function subscribeAgain(page: Page) {
  const download = page.waitForEvent('download')
  await button(page, 'Export CSV').click()
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
  await button(page, 'Choose Pro').click()
  await payOnPage(page, cards.good, 'Subscribe')
  await sees(heading(page, 'You are on the Pro plan'))
  await sees(page.getByText(/^Thank you\. The next payment of \$29\.00 is due on /))
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await isAt(page, '/dashboard')
  await sees(plan(page, 'Pro Plan'))
}

test('locks a workspace after the trial, keeps deployments running, and unlocks it after payment', async () => {
  const yard = await stage.newYard({ trialDays: 3 })
  const { workspace, owner, member } = yard
  const server = await makeServer(stage.ctx, workspace, host)
  const { makeShop, visit, containersOf } = startShops(slipway, { workspace, server, host })
  const { deploy } = startDeployer(slipway, member.token)
  const address = `${unique('shop')}.example`
  const shop = await makeShop(address)
  expect(await deploy(shop)).toMatchObject({ status: 'completed' })
  const containers = await containersOf(shop)
  const page = await stage.visitor({ token: member.token })
  await page.goto(`/dashboard/applications/${shop}`)
  await sees(plan(page, 'Trial Plan 3 days left'))
  await misses((await accountMenu(page)).getByRole('menuitem', { name: 'Upgrade to Pro' }))
  await page.keyboard.press('Escape')

  await pass({ days: 4 })
  await isAt(page, choosePlan)
  const notice = page.getByRole('region', { name: 'The trial has ended' })
  await sees(notice.getByText(`ask ${owner.name} to choose a plan.`))
  await sees(notice.getByText(/Applications keep running/))
  await expect.poll(() => page.getByRole('button', { name: /^Choose / }).count()).toBe(0)
  await slipway.refused(
    deployApplication,
    { token: member.token, params: { id: shop }, body: {} },
    402,
    'no_plan',
  )
  await pass({ days: 30 })
  expect(await visit(address)).toContain('1')
  expect(await containersOf(shop)).toEqual(containers)

  await yard.buy()
  await isAt(page, `/dashboard/applications/${shop}`)
  expect(await deploy(shop)).toMatchObject({ status: 'completed' })
})

test('shows no plans without billing', async () => {
  const free = await startSlipway()
  onTestFinished(() => free.close())
  const url = await free.listen()
  const page = await stage.visitor()
  await enter(page, url)
  await sees(plan(page, 'Pro Plan'))
  await misses((await accountMenu(page)).getByRole('menuitem', { name: 'Upgrade to Pro' }))
  await page.getByRole('menuitem', { name: 'Workspace' }).click()
  await sees(page.getByRole('main').getByRole('link', { name: 'Members' }))
  await expect.poll(() => page.getByRole('link', { name: 'Billing' }).count()).toBe(0)
  for (const path of ['', '/choose-plan', '/success?session_id=cs_test_1']) {
    await page.goto(`${url}/dashboard/billing${path}`)
    await isAt(page, '/dashboard')
  }
  await free.refused(listPlans, { token: await tokenOf(page) }, 409, 'integration_off')
  await free.db
    .updateTable('workspaces')
    .set({ trial_ends_at: new Date(0) })
    .execute()
  await page.goto(`${url}/dashboard/servers`)
  await sees(heading(page, 'Servers'))
  await sees(plan(page, 'Pro Plan'))
})

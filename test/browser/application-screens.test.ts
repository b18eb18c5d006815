import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, sees } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { type Deployed, makeDead, makeDeployed } from '../worlds/world-applications.ts'
import { ago, day } from '../worlds/world-times.ts'
import { makeDeployment } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { longTest } from '../support/run/campaign.ts'

const table = (name: string) => (page: Page) =>
  sees(page.getByRole('table', { name }).getByRole('cell').first())
const says = (words: string) => (page: Page) =>
  sees(page.getByRole('dialog').getByRole('log').getByText(words).first())

interface Paths {
  /** A crashed application. */
  dead: string
  /** An application on an unreachable server. */
  away: string
}

/** Applications with several deployments. */
const applicationScreens = ({ path, deployments, releases }: Deployed, { dead, away }: Paths): Screen[] => [
  { name: 'application', path, shows: table('Containers') },
  {
    name: 'application that died',
    path: dead,
    shows: (page) => sees(page.getByRole('region', { name: 'till crashed after deploying' })),
  },
  {
    name: 'saved log',
    path: `${path}/logs?release=3`,
    shows: (page) => sees(page.getByText('error job=7')),
  },
  { name: 'deployments', path: `${path}/deployments`, shows: table('Releases') },
  {
    name: 'deployment that failed',
    path: `${path}/deployments?deploymentId=${deployments.failed}`,
    shows: says('ECONNREFUSED'),
  },
  {
    name: 'deployment in progress, from home',
    long: true,
    path: `/dashboard?deploymentId=${deployments.running}`,
    shows: says('399 GET'),
  },
  {
    name: 'roll back',
    path: `${path}?dialog=roll-back`,
    shows: (page) => sees(page.getByRole('dialog').getByRole('radio').first()),
  },
  {
    name: 'difference to a release',
    path: `${path}/deployments?dialog=changes-${releases[1]}`,
    shows: (page) => sees(page.getByRole('list', { name: 'Changes' })),
  },
  {
    name: 'reset the configuration',
    path: `${path}?dialog=reset-configuration`,
    shows: (page) => sees(page.getByRole('dialog').getByText('is live. Nothing is deployed.')),
  },
  {
    name: 'delete an application out of reach',
    path: `${away}?dialog=delete`,
    shows: (page) => sees(page.getByRole('alertdialog').getByLabel('Keep the containers on the server')),
  },
  {
    name: 'no such application',
    long: true,
    path: '/dashboard/applications/app_none',
    shows: (page) => sees(page.getByText('Application not found')),
  },
]

// No worker runs, so that everything stays as shown.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database
const { workspace, member, viewer } = await makeTeam(db)

const live = { status: 'ready', containers_live: true, watched_until: ago(-day) } as const
const unreachable = { status: 'unreachable', reason: 'Could not reach web-2: no answer.' } as const

const makePlace = async (name: string, given: typeof live | typeof unreachable) => ({
  workspace,
  server: await makeShownServer(db, workspace, { name, ...given }),
})

const near = await makePlace('web-1', live)
const deployed = await makeDeployed(stage.ctx, near)
const dead = await makeDead(stage.ctx, near)
const away = await makeDeployed(stage.ctx, await makePlace('web-2', unreachable), 'far')

test('has accessible application screens that fit every width', async () => {
  const page = await stage.page({ token: member.token })
  // An unreachable server has no containers to show.
  stage.expectError(/502/)
  const screens = applicationScreens(deployed, { dead: dead.path, away: away.path })
  expect(await faults(page, '/dashboard', screens)).toEqual([])
})

test('shows a viewer the status without actions', async () => {
  const page = await stage.page({ token: viewer.token })
  await page.goto(dead.path)
  await sees(page.getByRole('region', { name: 'Undeployed changes' }))
  await sees(page.getByText('out of memory (limit 64 MiB)').first())
  const named = page.getByRole('main').getByRole('button').filter({ hasText: /./ })
  await expect.poll(() => named.allTextContents()).toEqual(['View changes', 'Show details'])
  await page.goto(`${deployed.path}?dialog=delete`)
  await sees(page.getByRole('table', { name: 'Containers' }))
  await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
  await page.goto(`${deployed.path}/settings`)
  await sees(page.getByText('No storage yet'))
  expect(await page.getByRole('main').locator('form').count()).toBe(0)
})

longTest('shows what a queued deployment waits for, and a cancellation everywhere', async () => {
  const { id, path, server, deployments } = deployed
  const queued = await makeDeployment(
    db,
    workspace,
    { id, server },
    { status: 'queued', type: 'rollback_application', message: 'Roll back to release 3' },
  )
  const page = await stage.page({ token: member.token })
  await page.goto(`${path}/deployments?deploymentId=${queued}`)
  const details = page.getByRole('dialog', { name: 'Deployment of checkout' })
  await sees(details.getByText('Queued at'))
  await sees(details.getByText(/^Waiting for “Deploy .*”, started by Ada\.$/))
  await sees(details.getByRole('log').getByText('Queued'))
  await button(details, 'Cancel deployment').click()
  await sees(details.getByRole('log').getByText('Canceled before it started.'))

  await page.goto(`${path}/deployments?deploymentId=${deployments.running}`)
  await button(details, 'Cancel deployment').click()
  await sees(details.getByRole('button', { name: 'Canceling…' }))
  await sees(details.locator('[data-tone]').getByText('Canceling…'))
  await page.keyboard.press('Escape')
  const row = page.getByRole('table', { name: 'Deployments' }).getByRole('row')
  await sees(row.getByText('Canceling…'))
  await sees(
    page.getByRole('main').locator('a[href*="deploymentId"] [data-tone]').getByText('Canceling…').first(),
  )
})

test('shows and copies log lines with timestamps, also on a phone', async () => {
  const page = await stage.page({ token: member.token })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${deployed.path}/deployments?deploymentId=${deployed.deployments.completed}`)
  const details = page.getByRole('dialog', { name: 'Deployment of checkout' })
  const log = details.getByRole('log')
  await sees(log.getByText('Done.', { exact: true }))
  await expect.poll(() => log.locator('[data-number] time').first().textContent()).toMatch(/^\d\d:\d\d:\d\d$/)
  await button(details, 'Copy log').click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z Done\.$/m)
  expect((await log.boundingBox())?.height).toBeGreaterThan(280)
  await details.getByText('All 7 steps done').click()
  await sees(details.getByRole('list', { name: 'Steps' }))
  await page.keyboard.press('Escape')
  const cells = page
    .getByRole('table', { name: 'Deployments' })
    .locator('tbody tr')
    .first()
    .locator('td:visible')
  await expect.poll(() => cells.count()).toBe(2)
})

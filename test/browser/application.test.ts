import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { appendOutput } from '../../server/areas/outputs/output.ts'
import { makeApplication, makeDeployment } from '../support/factories/application-factories.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { loadApp } from '../support/rig/load-app.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { openErrors } from '../../server/areas/deployments/run/deployment.ts'
import { longTest } from '../support/run/campaign.ts'

const host = await takeHost()
await loadApp(host, '1', '2')
const stage = await openStage()
const { db } = stage.database
const team = await makeTeam(db)
const { token } = team.member
const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })

/** A busy machine needs time to start containers. */
const soon = { timeout: 120_000 }

async function makeApp(given: Parameters<typeof makeApplication>[3] = {}) {
  const row = { image: 'rig/app:1', drain_seconds: 1, stop_grace_seconds: 1, ...given }
  const id = await makeApplication(db, team.workspace, server, row)
  return { id, path: `/dashboard/applications/${id}` }
}

/** Simulates another user of the API. */
const change = (id: string, body: object) =>
  fetch(`${stage.url}/v1/applications/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function whyFailed(id: Id<'application'>) {
  const row = await db
    .selectFrom('deployments')
    .select(['id', 'errors_sealed'])
    .where('application_id', '=', id)
    .where('status', '=', 'failed')
    .executeTakeFirstOrThrow()
  return openErrors(stage.ctx, row)[0] ?? 'nothing'
}

const details = (page: Page) => page.getByRole('dialog', { name: /^Deployment of / })
const badge = (within: Page | Locator, word: string) =>
  within.locator('[data-tone]').filter({ hasText: word }).first()
const shows = (within: Page | Locator, word: string) => badge(within, word).waitFor(soon)
async function choose(page: Page, name: string, item: string) {
  await button(page, `Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('deploys, changes, redeploys, rolls back, stops and deletes an application with live updates', async () => {
  const { path, id } = await makeApp({ name: 'shop' })
  const [page, other] = [await stage.page({ token }), await stage.visitor({ token })]
  await page.goto(path)
  await other.goto(path)
  await shows(page, 'Never deployed')
  await button(page, 'Deploy').click()
  await sees(details(page))
  await shows(details(page), 'Completed')
  await sees(details(page).getByText(/^Started at/))
  const steps = details(page).getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect.poll(() => steps.allTextContents()).toContainEqual(expect.stringMatching(/^Check, done\d/))
  const lines = details(page).getByRole('log').locator('[data-number]')
  await expect.poll(() => lines.count()).toBeGreaterThan(1)
  await button(details(page), 'Copy image').click()
  await sees(toast(page, 'Copied to clipboard'))
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('rig/app:1')
  await page.goBack()
  await misses(details(page))
  await isAt(page, path)

  await shows(other, 'Running')
  await sees(other.getByRole('table', { name: 'Containers' }).getByText('Live'))
  await sees(other.getByRole('table', { name: 'Deployments' }).getByText('Completed'))

  await change(id, { source: { type: 'docker_image', image: 'rig/app:2' } })
  const bar = page.getByRole('region', { name: 'Undeployed changes' })
  await sees(bar)
  await button(bar, 'View changes').click()
  await sees(page.getByRole('list', { name: 'Changes' }).getByText('rig/app:2'))
  await sees(page.getByText('next: rig/app:2'))
  await expect.poll(() => button(page, 'Deploy').count()).toBe(1)
  await button(page.getByRole('dialog'), 'Deploy').click()
  await shows(details(page), 'Completed')
  await page.keyboard.press('Escape')
  await misses(bar)
  await misses(other.getByRole('region', { name: 'Undeployed changes' }))

  await choose(page, 'shop', 'Roll back…')
  const asked = page.getByRole('dialog', { name: 'Roll back shop' })
  await sees(asked.getByText(/rig\/app:1 \([0-9a-f]{12}\)/))
  await sees(asked.getByText(/^Last live .*, deployed by/))
  await sees(asked.getByRole('region', { name: 'Changes to the live release' }).getByText('rig/app:2'))
  await button(page, 'Roll back to release 1').click()
  await shows(details(page), 'Completed')
  await sees(details(page).getByText('rig/app:1').first())
  await page.keyboard.press('Escape')
  await sees(page.getByRole('region', { name: 'Rolled back to release 1' }))
  await page
    .getByRole('navigation', { name: 'Application' })
    .getByRole('link', { name: 'Deployments' })
    .click()
  const releases = page.getByRole('table', { name: 'Releases' })
  await sees(releases.getByRole('row').filter({ hasText: 'rig/app:1' }).getByText('Live'))

  await choose(page, 'shop', 'Stop…')
  await button(page.getByRole('alertdialog', { name: 'Stop shop?' }), 'Stop application').click()
  await shows(details(page), 'Completed')
  await page.keyboard.press('Escape')
  await shows(other, 'Stopped')
  await misses(other.getByText('0/0 running'))
  await choose(page, 'shop', 'Start')
  await shows(details(page), 'Completed')
  await page.keyboard.press('Escape')
  await shows(other, 'Running')

  await choose(page, 'shop', 'Delete…')
  const question = page.getByRole('alertdialog', { name: 'Delete shop?' })
  await field(question, 'Type shop to confirm').fill('shop')
  await button(question, 'Delete application').click()
  await isAt(page, '/dashboard/applications')
  await sees(toast(page, 'Deletion of shop started'))
  await other.getByText('Application not found').waitFor(soon)
})

test('explains failures, reverts manual changes and shows logs', async () => {
  const { path, id } = await makeApp({ name: 'till' })
  const page = await stage.page({ token })
  await page.goto(`${path}/deployments`)
  await button(page, 'Deploy').click()
  await shows(details(page), 'Completed')
  await page.keyboard.press('Escape')
  await change(id, { source: { type: 'docker_image', image: 'rig/nowhere:1' } })
  await button(page, 'Deploy').click()
  await shows(details(page), 'Failed')
  const errors = details(page).getByRole('region', { name: 'Errors' })
  // Addresses in the rest of the sentence are masked.
  const [cause = ''] = (await whyFailed(id)).split('. ')
  await sees(errors.getByText(cause))
  await button(details(page), 'Copy errors').click()
  await page.keyboard.press('Escape')
  await sees(page.getByRole('table', { name: 'Deployments' }).getByText('Failed'))
  await shows(page, 'Running')

  await page.getByRole('navigation', { name: 'Application' }).getByRole('link', { name: 'Logs' }).click()
  await page.getByRole('log').locator('[data-number]').first().waitFor(soon)

  const [container = ''] = (await host.exec('docker', 'ps', '--quiet')).split('\n')
  await host.exec('docker', 'stop', container)
  const drift = page.getByRole('region', {
    name: 'till is not running after a manual change on the server',
  })
  await drift.waitFor(soon)
  await shows(page, 'Failed')
  // One notice covers it, next to the undeployed configuration.
  await expect.poll(() => page.getByRole('region', { name: /till|changes/i }).count()).toBe(2)
  await page.getByRole('navigation', { name: 'Application' }).getByRole('link', { name: 'Overview' }).click()
  await sees(page.getByRole('table', { name: 'Containers' }).getByText('Not running'))
  await button(drift, 'Revert changes').click()
  await shows(details(page), 'Completed')
  await page.keyboard.press('Escape')
  await shows(page, 'Running')
  await misses(drift)
})

longTest('merges the logs of all containers with their names', async () => {
  const { path } = await makeApp({ name: 'twin', replicas: 2 })
  const page = await stage.page({ token })
  await page.goto(path)
  await button(page, 'Deploy').click()
  await shows(details(page), 'Completed')
  await page.goto(`${path}/logs`)
  await sees(page.getByLabel('Container').getByText('All 2 containers'))
  const lines = page.getByRole('log', { name: 'Log of twin' }).locator('[data-number]')
  const speakers = async () =>
    new Set((await lines.allTextContents()).flatMap((text) => /\d-\w{4}(?= )/.exec(text)?.[0] ?? []))
  await expect.poll(async () => (await speakers()).size, soon).toBe(2)
})

longTest('stays usable with a deployment log of 100,000 lines', async () => {
  const { id } = await makeApp({ name: 'loud' })
  const given = { message: 'Say a lot', log_cut: 7 }
  const deployment = await makeDeployment(db, team.workspace, { id, server }, given)
  const pieces = Array.from({ length: 500 }, (_, piece) => ({
    stream: 'stdout' as const,
    text: Array.from({ length: 200 }, (__, line) => `line ${piece * 200 + line} of many\n`).join(''),
  }))
  await appendOutput(stage.ctx, db, team.workspace, deployment, pieces)
  await db.deleteFrom('outputs').where('source', '=', deployment).where('seq', '=', 250).execute()
  const page = await stage.page({ token: team.viewer.token })
  await page.goto('/dashboard')
  await page.getByRole('row').filter({ hasText: 'Say a lot' }).getByRole('link').click()
  const log = details(page).getByRole('log')
  await log.getByText('line 99999 of many').waitFor(soon)
  await sees(details(page).getByText('99,800 lines (7 lines dropped from the middle)'))
  await expect.poll(() => log.locator('[data-number]').count()).toBeLessThan(200)
  await field(details(page), 'Search the log').fill('line 49799 of')
  await sees(details(page).getByText('1 line', { exact: true }))
  await page.keyboard.press('Enter')
  await sees(log.getByText('line 49799 of many'))
  await sees(log.getByText('Some lines were dropped because the log exceeded its size limit.'))
  // Escape ends the search first, then closes the dialog.
  await page.keyboard.press('Escape')
  await sees(log)
  for (const name of ['Deploy again', 'Cancel deployment'])
    await expect.poll(() => button(details(page), name).count()).toBe(0)
  await page.keyboard.press('Escape')
  await misses(details(page))
  await isAt(page, '/dashboard')

  await page.goto(`/dashboard?deploymentId=${deployment}`)
  await sees(log.getByText('line 99999 of many'))
  await details(page).getByRole('link', { name: 'loud' }).click()
  await sees(heading(page, 'loud'))
  for (const name of ['Deploy', 'Actions for loud'])
    await expect.poll(() => button(page, name).count()).toBe(0)
})

test('cancels and reverts a deployment that waits for its container', async () => {
  // Nothing listens on that port.
  const health = JSON.stringify({ type: 'tcp', path: '/', within_seconds: 600 })
  const { path } = await makeApp({ name: 'slow', port: 3001, health })
  const page = await stage.page({ token })
  await page.goto(path)
  await button(page, 'Deploy').click()
  const waiting = details(page).getByRole('listitem').filter({ hasText: 'Health check, in progress' })
  await waiting.waitFor(soon)
  await shows(page, 'Deploying…')
  await button(details(page), 'Cancel deployment').click()
  await shows(details(page), 'Cancelled')
  await misses(button(details(page), 'Cancel deployment'))
  await page.keyboard.press('Escape')
  await shows(page, 'Never deployed')
})

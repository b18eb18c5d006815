import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { toBuildConfig } from '../../server/areas/applications/source.ts'
import { makeInstanceOwner, makeTeam } from '../support/factories/factories.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fakes/github.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeRepositories } from '../worlds/world-github.ts'

let started: FakeGitHub | undefined
const stage = await openStage(async (url) => {
  // Same site as Slipway, so that the browser shares its session.
  started = await startFakeGitHub(`${url}/login/success`, { host: 'localhost' })
  return { GITHUB_URL: started.url, GITHUB_API_URL: started.url }
})
if (!started) throw new Error('There is no GitHub.')
const github = started
afterAll(() => github.close())
const { db } = stage.database
const { workspace, owner, viewer } = await makeTeam(db)
await makeInstanceOwner(db, owner)
await makeShownServer(db, workspace)
await makeRepositories(github)

const integrations = '/dashboard/integrations'
const card = (page: Page, title: string) => page.locator('form').filter({ has: heading(page, title) })
const atGitHub = (page: Page, login: string) =>
  page.context().addCookies([{ name: 'user', value: login, url: github.url }])
const source = () =>
  db
    .selectFrom('sources')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .executeTakeFirstOrThrow()
    .then((row) => ({ ...row, ...toBuildConfig(stage.ctx, row) }))

test('leads from no App to an application that pushes and CI deploy', async () => {
  const page = await stage.page({ token: owner.token })
  await atGitHub(page, 'octocat')
  await connect(page)
  const path = await create(page)
  await push(page)
  await changeSettings(page, path)
  await callHook(page, path)
})

/** One click creates the App, another connects an account. */
async function connect(page: Page) {
  await page.goto(integrations)
  await sees(heading(page, 'Push to Deploy'))
  await sees(page.getByText(/^GitHub cannot reach http:\/\/localhost:\d+, so push to deploy is off\./))
  await button(page, 'Create GitHub App').press('Enter')
  await sees(toast(page, 'GitHub App created. Connect an account.'))
  await isAt(page, integrations)
  await button(page, 'Connect').press('Enter')
  await sees(toast(page, 'GitHub added successfully.'))
  await isAt(page, '/dashboard')
  // Chosen by name, as in the user menu.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('integr')
  await page.keyboard.press('Enter')
  await isAt(page, integrations)
  const account = page.getByRole('listitem').filter({ has: heading(page, 'octocat') })
  await sees(account.getByText(/Added \d+ \w+ \d{4}/))
  await sees(account.getByRole('link', { name: 'Manage' }))
}

async function create(page: Page): Promise<string> {
  await page.goto('/dashboard/applications/create')
  await page.getByRole('radio', { name: 'GitHub repository' }).check()
  await button(page, 'Deploy').click()
  await sees(page.getByText('Choose a repository.'))
  await field(page, 'Search repositories').fill('store')
  const repositories = page.getByRole('list', { name: 'Repositories' })
  await misses(repositories.getByText('octocat/billing-api'))
  // Enter in the search chooses the first result and does not submit the form.
  await field(page, 'Search repositories').press('Enter')
  await misses(page.getByText('Choose a repository.'))
  await sees(page.getByText(/^Node\.js application/))
  await expect.poll(() => field(page, 'Branch').inputValue()).toBe('main')
  await field(page, 'Branch').click()
  await sees(page.getByRole('option', { name: 'main' }))
  await field(page, 'Branch').fill('ne')
  await misses(page.getByRole('option', { name: 'main' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => field(page, 'Branch').inputValue()).toBe('next')
  await page.locator('summary', { hasText: 'Build' }).filter({ hasText: 'deploys on every push' }).click()
  await field(page, 'Build arguments (optional)').fill('MODE=fast')
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('storefront')
  await sees(page.getByRole('definition').filter({ hasText: 'octocat/storefront, next' }))
  await button(page, 'Deploy').click()
  await page.waitForURL(/\/applications\/app_\w+/)
  expect(await source()).toMatchObject({
    repository: 'octocat/storefront',
    branch: 'next',
    build_args: [{ key: 'MODE', value: 'fast' }],
    deploy_on: 'push',
  })
  return new URL(page.url()).pathname.replace(/\/deployments$/, '')
}

/** Deliveries appear without a reload and can be processed again. */
async function push(page: Page) {
  const app = github.state.apps.at(-1)
  // GitHub accepts no local address, so the App has no webhook URL.
  if (app) app.hookUrl = `${stage.url}/v1/events/github`
  await page.goto(`${integrations}/deliveries`)
  await sees(page.getByText('No deliveries yet'))
  await github.push('octocat/storefront', { branch: 'next', message: 'Sell more' })
  const pushed = page.getByRole('row').filter({ hasText: 'Push to next' })
  // No server exists behind it.
  const began = /^(?:Queued|Deploying…|Deployment failed)$/
  await sees(pushed.getByText(began))
  await sees(pushed.getByText('Sell more'))
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Ignored' }).click()
  await button(page, 'Show all deliveries').click()
  await isAt(page, `${integrations}/deliveries`)
  await pushed.getByRole('link').click()
  const delivery = page.getByRole('dialog', { name: 'Push to next' })
  await sees(delivery.getByText(/^\w{7} Sell more$/))
  await sees(delivery.getByText(/"ref":\s*"refs\/heads\/next"/))
  expect(await delivery.textContent()).not.toMatch(/x-hub-signature/i)
  await button(delivery, 'Redeliver').click()
  await sees(toast(page, 'Redelivery queued'))
  await sees(delivery.getByText('Redelivery of'))
  await delivery.getByRole('link', { name: 'View deployment' }).click()
  const deployment = page.getByRole('dialog', { name: 'Deployment of storefront' })
  await sees(deployment.getByText('octocat (push)'))
  await sees(deployment.getByText('Sell more', { exact: true }))
  await page.keyboard.press('Escape')
  await misses(deployment)
  await button(page, 'Actions for storefront').click()
  await page.getByRole('menuitem', { name: 'Rebuild' }).click()
  await sees(deployment)
  const rebuilds = db.selectFrom('deployments').select('type').where('workspace_id', '=', workspace)
  expect(await rebuilds.where('rebuild', '=', true).execute()).toEqual([{ type: 'build_application' }])
}

/** All changed cards are saved together; errors are shown at the field. */
async function changeSettings(page: Page, path: string) {
  await page.goto(`${path}/settings`)
  const place = card(page, 'Source')
  await field(place, 'Branch').fill('nowhere')
  await button(page, 'Save').click()
  await sees(place.getByText('The branch nowhere was not found in octocat/storefront.'))
  await sees(place.locator('[name="source.branch"][aria-invalid=true]'))

  const build = card(page, 'Build')
  await field(build, 'Build arguments (optional)').fill('MODE=slow\nNOT A NAME=1')
  await field(place, 'Branch').fill('main')
  await button(page, 'Save').click()
  await sees(build.getByText(/^“NOT A NAME”: Must start/))
  expect(await source()).toMatchObject({ branch: 'main' })
  await field(build, 'Build arguments (optional)').fill('MODE=slow')
  await build.getByRole('combobox', { name: 'Builder' }).click()
  await page.getByRole('option', { name: 'Generated Dockerfile' }).click()
  await build.getByRole('checkbox', { name: 'Fetch submodules' }).check()

  const pushes = card(page, 'Push to deploy')
  await field(pushes, 'Watched paths (optional)').fill('web/**,')
  await pushes.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Tag' }).click()
  await field(pushes, 'Tags (optional)').fill('v*')
  await button(page, 'Save').click()
  await sees(toast(page, 'Changes saved. Redeploy to apply.'))
  const changed = {
    builder: 'generated',
    build_args: [{ key: 'MODE', value: 'slow' }],
    submodules: true,
    deploy_on: 'tag',
    tags: 'v*',
    watch_paths: ['web/**'],
  }
  expect(await source()).toMatchObject({ branch: 'main', ...changed })
}

async function callHook(page: Page, path: string) {
  await page.goto(`${path}/settings`)
  await button(page, 'Show').click()
  const command = page.getByText(/^curl -X POST/)
  const read = async () => {
    const [, secret = '', url = ''] = /secret: (\S+)' (\S+)/.exec((await command.textContent()) ?? '') ?? []
    return { secret, url }
  }
  await sees(command)
  const before = await read()
  await button(page, 'Rotate secret').click()
  await button(page.getByRole('alertdialog'), 'Rotate secret').click()
  await sees(toast(page, 'Deploy hook secret rotated'))
  await expect.poll(async () => (await read()).secret).not.toBe(before.secret)
  const { secret, url } = await read()
  const calls = [before.secret, secret].map((one) => fetch(url, { method: 'POST', headers: { secret: one } }))
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([401, 202])
  await sees(page.getByText('last used just now'))
  await page.getByRole('link', { name: 'Deliveries' }).click()
  await sees(page.getByText(/^GitHub webhooks and deploy hook calls for storefront/))
  await page.getByRole('row').filter({ hasText: 'Deploy hook' }).getByRole('link').click()
  await sees(page.getByRole('dialog', { name: 'Deploy hook' }))
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/deliveries\?application_id=app_\w+$/)
}

test('lets a viewer see accounts and deliveries without actions', async () => {
  const page = await stage.page({ token: viewer.token })
  await page.goto(integrations)
  await sees(heading(page, 'octocat'))
  await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(0)
  await misses(heading(page, 'GitHub App'))
  await page.getByRole('link', { name: 'Deliveries' }).click()
  await page.getByRole('row').filter({ hasText: 'Push to next' }).last().getByRole('link').click()
  await sees(page.getByRole('dialog').getByText('Results'))
  await expect.poll(() => button(page, 'Redeliver').count()).toBe(0)
})

test('allows GitHub login with the App until its keys are deleted', async () => {
  const page = await stage.page()
  await page.goto('/login')
  await sees(page.getByRole('link', { name: 'Log in with GitHub' }))
  const operator = await stage.visitor({ token: owner.token })
  await operator.goto(integrations)
  await button(operator, 'Remove').click()
  await button(operator.getByRole('alertdialog'), 'Remove').click()
  await sees(toast(operator, 'GitHub App removed'))
  await sees(heading(operator, 'Push to Deploy'))
  await page.goto('/login')
  await sees(button(page, 'Log in'))
  await expect.poll(() => page.getByRole('link', { name: 'Log in with GitHub' }).count()).toBe(0)
})

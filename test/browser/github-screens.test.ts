import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, sees } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { type Connected, makeConnected } from '../worlds/world-github.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fakes/github.ts'

const create = '/dashboard/applications/create'
const text = (words: string) => (page: Page) =>
  sees(page.getByText(words, { exact: true }).filter({ visible: true }).first())
const table = (name: string) => (page: Page) =>
  sees(page.getByRole('table', { name }).getByRole('cell').first())
const dialog = (name: string | RegExp) => (page: Page) => sees(page.getByRole('dialog', { name }))
const question = (name: RegExp) => (page: Page) => sees(page.getByRole('alertdialog', { name }))
const repository = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Repositories' }).getByRole('button', { name })

/** Screens of GitHub accounts, builds and deliveries. */
const githubScreens = ({ path, building, delivery }: Connected): Screen[] => [
  { name: 'integrations', path: '/dashboard/integrations', shows: text('Suspended') },
  {
    name: 'disconnect',
    long: true,
    path: '/dashboard/integrations',
    after: async (page) => {
      await button(page, 'Actions for octocat').click()
      await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    },
    shows: question(/^Disconnect octocat/),
  },
  { name: 'deliveries', path: '/dashboard/integrations/deliveries', shows: table('Deliveries') },
  {
    name: 'delivery',
    path: `/dashboard/integrations/deliveries?dialog=${delivery}`,
    shows: dialog('Push to main'),
  },
  {
    name: 'application of a repository',
    path,
    shows: (page) => sees(page.getByText(/^Round invoices/).first()),
  },
  { name: 'releases of a repository', long: true, path: `${path}/deployments`, shows: table('Releases') },
  {
    name: 'build in progress',
    path: `${path}/deployments?deploymentId=${building}`,
    shows: (page) => sees(page.getByRole('dialog').getByRole('log').getByText('added 214 packages')),
  },
  {
    name: 'settings of a repository',
    path: `${path}/settings`,
    after: async (page) => {
      await page.locator('summary', { hasText: 'Generated Dockerfile' }).click()
      await button(page, 'Show').click()
    },
    shows: (page) => sees(page.getByText(/^curl -X POST/)),
  },
  {
    name: 'choice of a repository',
    path: create,
    after: (page) => page.getByRole('radio', { name: 'GitHub repository' }).check(),
    shows: (page) => sees(repository(page, 'octocat/billing-api')),
  },
  {
    name: 'repository to build',
    path: create,
    after: async (page) => {
      await page.getByRole('radio', { name: 'GitHub repository' }).check()
      await repository(page, 'octocat/storefront').click()
      await page.locator('summary', { hasText: 'Generated Dockerfile' }).click()
      await button(page, 'Edit').click()
      await page.locator('summary', { hasText: 'deploys on every push' }).click()
    },
    shows: (page) => sees(field(page, 'Build arguments (optional)')),
  },
]

/** Screens before anything is connected. */
const unconnectedScreens: Screen[] = [
  { name: 'no integrations', path: '/dashboard/integrations', shows: text('Push to Deploy') },
  {
    name: 'no deliveries',
    long: true,
    path: '/dashboard/integrations/deliveries',
    shows: text('No deliveries yet'),
  },
  {
    name: 'repository without an account',
    long: true,
    path: create,
    after: (page) => page.getByRole('radio', { name: 'GitHub repository' }).check(),
    shows: text('No GitHub account connected'),
  },
]

let started: FakeGitHub | undefined
// No worker runs, so that everything stays as shown.
const stage = await openStage(async (url) => {
  started = await startFakeGitHub(`${url}/login/success`)
  return { ...started.appEnv, ROLE: 'web' }
})
if (!started) throw new Error('There is no GitHub.')
const github = started
afterAll(() => github.close())
const { db } = stage.database

test('has accessible screens of accounts, builds and deliveries that fit every width', async () => {
  const { workspace, admin } = await makeTeam(db)
  const server = await makeShownServer(db, workspace)
  const page = await stage.page({ token: admin.token })
  const before = await faults(page, '/dashboard', unconnectedScreens)
  const screens = githubScreens(await makeConnected(stage, github, { workspace, server }))
  // An unreachable server has no containers to show.
  stage.expectError(/502/)
  expect([...before, ...(await faults(page, '/dashboard', screens))]).toEqual([])
})

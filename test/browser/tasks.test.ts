import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goTo, misses, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'
import { makeShowcase } from '../worlds/world-showcase.ts'

// No worker runs, so that everything stays as shown.
const stage = await openStage({ ROLE: 'web' })
const world = await makeShowcase(stage.ctx)

type Find = (page: Page) => Locator

interface Task {
  name: string
  /** What is clicked, from Home on. */
  clicks: Find[]
  type?: string
  /** Or the URL, for pages that ask the server. */
  shows: Find | RegExp
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const link =
  (name: string | RegExp): Find =>
  (page) =>
    page.getByRole('main').getByRole('link', { name, exact: true }).first()
const button =
  (name: string | RegExp): Find =>
  (page) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).first()
const text =
  (words: string | RegExp): Find =>
  (page) =>
    page.getByText(words).filter({ visible: true }).first()
const dialog =
  (name: string | RegExp): Find =>
  (page) =>
    page.getByRole('dialog', { name })
const row =
  (table: string, words: string, at = 1): Find =>
  (page) =>
    page.getByRole('table', { name: table }).getByRole('row').nth(at).filter({ hasText: words })
const card =
  (section: string, name: string): Find =>
  (page) =>
    region(page, section).getByRole('link', { name, exact: true })
const application = (name: string) => card('Applications', name)
const server = (name: string) => card('Servers', name)
const sidebar =
  (name: string): Find =>
  (page) =>
    page.getByRole('complementary').getByRole('link', { name })

const tasks: Task[] = [
  {
    name: 'find why last night’s deployment failed',
    clicks: [link('The latest deployment of billing failed.')],
    shows: (page) =>
      page
        .getByRole('dialog')
        .getByText(/connection refused on port 8080/)
        .first(),
  },
  {
    name: 'find who changed DATABASE_URL',
    clicks: [application('billing'), link('Environment'), link(/who changed DATABASE_URL$/)],
    shows: row('Audit log', 'Tomás Oliveira'),
  },
  {
    name: 'find who changed DATABASE_URL, of whichever application',
    clicks: [sidebar('Settings'), link('Audit log')],
    type: 'DATABASE_URL',
    shows: row('Audit log', 'Tomás Oliveira'),
  },
  {
    name: 'find the fullest server',
    clicks: [],
    shows: (page) => region(page, 'Servers').getByRole('listitem').first().getByText('nbg-data-1'),
  },
  {
    name: 'see who deployed last',
    clicks: [],
    shows: row('Latest Deploys', 'Maya Lindqvist'),
  },
  {
    name: 'follow the log of an application',
    clicks: [application('storefront'), link('Logs')],
    shows: (page) => page.getByRole('combobox', { name: 'Container' }),
  },
  {
    name: 'change an environment variable',
    clicks: [application('storefront'), link('Environment'), link('LOG_LEVEL')],
    shows: dialog('Edit LOG_LEVEL'),
  },
  {
    name: 'roll back to the previous release',
    clicks: [application('storefront'), button('Roll back…')],
    shows: dialog('Roll back storefront'),
  },
  {
    name: 'open a terminal in a container',
    clicks: [application('storefront'), link('Terminal')],
    shows: /\/terminal$/,
  },
  {
    name: 'restart an application',
    clicks: [
      application('storefront'),
      button('Actions for storefront'),
      (page) => page.getByRole('menuitem', { name: 'Restart' }),
    ],
    shows: text('Restart'),
  },
  {
    name: 'find why an application is slow',
    clicks: [application('api'), link('Metrics')],
    shows: (page) => region(page, 'Response time').getByText('p95', { exact: true }),
  },
  {
    name: 'find the application that uses most memory',
    clicks: [sidebar('Applications'), button('Memory'), button('Memory')],
    shows: row('Applications', 'postgres'),
  },
  {
    name: 'change the limits and the number of containers',
    clicks: [application('api'), link('Settings')],
    shows: (page) => page.getByLabel('Replicas', { exact: true }),
  },
  {
    name: 'find a container of an application',
    clicks: [application('api'), link(/^api-14-2-/)],
    shows: /\/containers\/[0-9a-f]{64}$/,
  },
  {
    name: 'find the certificate that expires next',
    clicks: [sidebar('Settings'), link('Domains')],
    shows: row('Domains', 'blog.fjordcoffee.example'),
  },
  {
    name: 'add a domain',
    clicks: [application('api'), link('Networking'), button('Add domain')],
    shows: dialog('Add domain'),
  },
  {
    name: 'see the CPU of a server over the last day',
    clicks: [server('fsn-web-1'), button('24 h')],
    shows: (page) => region(page, 'CPU').locator('canvas'),
  },
  {
    name: 'find unused images of the fullest server',
    clicks: [server('nbg-data-1'), link('Images')],
    shows: /\/images$/,
  },
  {
    name: 'see the history of an alert',
    clicks: [sidebar('Alerts'), link('History'), link(/^The disk of nbg-data-1 is 91 % full/)],
    shows: dialog('The disk of nbg-data-1 is 91 % full.'),
  },
  {
    name: 'pause an alert',
    clicks: [
      sidebar('Alerts'),
      link('Alerts'),
      (page) => page.getByRole('switch', { name: 'Disk almost full is on', checked: true }),
    ],
    shows: (page) => page.getByRole('switch', { name: 'Disk almost full is on', checked: false }),
  },
  {
    name: 'invite a colleague',
    clicks: [sidebar('Settings'), link('Members'), button('Invite')],
    shows: dialog('Invite a member'),
  },
  {
    name: 'add credentials of a registry',
    clicks: [sidebar('Settings'), link('Registries'), button('Add registry')],
    shows: dialog('Add registry'),
  },
  {
    name: 'add a cloud token',
    clicks: [sidebar('Settings'), link('Cloud tokens'), button('Add token')],
    shows: dialog('Add cloud token'),
  },
  {
    name: 'revoke an API token',
    clicks: [sidebar('Settings'), link('API tokens'), button('Revoke ci')],
    shows: (page) => page.getByRole('alertdialog', { name: 'Revoke ci?' }),
  },
  {
    name: 'export what a member did',
    clicks: [sidebar('Settings'), link('Audit log')],
    type: 'Tomás',
    shows: button('Export CSV'),
  },
]

// First, as the tasks change what it shows.
longTest('takes the picture of the README', async () => {
  const page = await stage.visitor({ token: world.token, scale: 2 })
  await page.goto('/dashboard')
  await sees(row('Latest Deploys', 'Maya Lindqvist')(page))
  await page.evaluate(() => document.fonts.ready)
  // Icons stand for the logos until they are loaded.
  await expect.poll(() => region(page, 'Applications').locator('.lucide-box').count()).toBe(0)
  await page.screenshot({ path: 'docs/screenshot.png' })
})

test('needs at most three clicks from Home for each task', async () => {
  const page = await stage.page({ token: world.token })
  await page.goto('/dashboard')
  for (const { clicks, type, shows } of tasks) {
    await goTo(page, '/verify')
    await misses(region(page, 'Latest Deploys'))
    await goTo(page, '/dashboard')
    await sees(region(page, 'Servers'))
    for (const find of clicks) await find(page).click()
    if (type !== undefined) await page.getByRole('searchbox').fill(type)
    await (shows instanceof RegExp ? page.waitForURL(shows) : sees(shows(page)))
  }
  expect(Math.max(...tasks.map(({ clicks }) => clicks.length))).toBe(3)
})

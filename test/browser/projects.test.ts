import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { makeProject } from '../support/factories/project-factories.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, heading, isAt, misses, pressInTurn, sees, toast } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeShopProject } from '../worlds/world-projects.ts'

// No worker runs, so that servers stay as shown.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database
const { workspace, member, viewer } = await makeTeam(db)
const { token } = member
const web = await makeShownServer(db, workspace)
await makeShownServer(db, workspace, { name: 'lost', status: 'unreachable', reason: 'It does not answer.' })
const shop = await makeApplication(db, workspace, web, { name: 'shop' })
for (const name of ['shop-api', 'wiki']) await makeApplication(db, workspace, web, { name })

const putInto = (project_id: Id<'project'>, id: Id<'application'>) =>
  db.updateTable('applications').set({ project_id }).where('id', '=', id).execute()
const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row')
const nodeOf = (page: Page, name: string) =>
  page.locator('.react-flow__node').filter({ has: link(page, name) })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test('creates, fills, finds and deletes a project', async () => {
  const page = await stage.page({ token })
  await page.goto('/dashboard')
  await sees(page.getByRole('heading', { name: /^Welcome back/ }))
  await pressInTurn(page, 'g', 'p')
  await sees(page.getByText('No projects yet'))
  await button(page, 'New project').first().click()
  const name = field(page.getByRole('dialog', { name: 'New project' }), 'Name')
  await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('Online shop')
  await page.keyboard.press('Enter')
  await sees(toast(page, 'Project created'))
  await sees(page.getByRole('heading', { name: 'Online shop', level: 1 }))
  await sees(page.getByRole('main').getByText('Empty', { exact: true }))

  await button(page, 'Choose applications').click()
  const dialog = page.getByRole('dialog')
  await field(dialog, 'Search applications').fill('shop')
  await misses(dialog.getByText('wiki'))
  // The list moves when the first choice adds a line below it, so use the keyboard.
  for (const name of ['shop', 'shop-api']) await field(dialog, name).press('Space')
  await sees(dialog.getByText('2 applications will be added.'))
  await button(dialog, 'Save').click()
  await misses(dialog)
  await sees(nodeOf(page, 'shop-api').getByText('Never deployed'))
  await button(page, 'Choose servers').click()
  await field(dialog, 'lost').press('Space')
  await button(dialog, 'Save').click()
  await sees(page.getByRole('main').getByText('lost is unreachable.'))
  await sees(nodeOf(page, 'lost').getByText('Unreachable'))

  const at = new URL(page.url()).pathname
  await pressInTurn(page, 'g', 'p')
  await sees(page.getByText('2 applications, none running'))
  await pressInTurn(page, 'g', 'a')
  await sees(rowsOf(page, 'Applications').filter({ hasText: 'wiki' }))
  await field(page, 'Project').click()
  await page.getByRole('option', { name: 'Online shop' }).click()
  await misses(rowsOf(page, 'Applications').filter({ hasText: 'wiki' }))
  await link(page, 'shop').click()
  await link(page, 'Online shop').click()
  await isAt(page, at)

  await page.getByRole('radio', { name: 'List' }).check()
  await isAt(page, `${at}?view=list`)
  await button(page, 'Remove shop-api').click()
  await misses(rowsOf(page, 'Applications').filter({ hasText: 'shop-api' }))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('online')
  await sees(page.getByRole('option', { name: 'Online shop' }))
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).click()
  await button(page, 'Delete project').click()
  await button(page.getByRole('alertdialog'), 'Delete project').click()
  await sees(toast(page, 'Online shop deleted'))
  await isAt(page, '/dashboard/projects')
  const left = await db.selectFrom('applications').select('project_id').execute()
  expect(left.map(({ project_id }) => project_id)).toEqual([null, null, null])
})

test('shows a project as a map, live and by keyboard', async () => {
  const { project, applications } = await makeShopProject(stage.ctx, workspace)
  const page = await stage.page({ token })
  const path = `/dashboard/projects/${project}`
  await page.goto(path)
  await sees(nodeOf(page, 'api').getByText('Failed'))
  await sees(nodeOf(page, 'app-1').getByText('Ready'))
  await sees(page.getByRole('list', { name: 'Legend' }).getByText('Network'))
  await sees(page.getByRole('list', { name: 'Services of blog' }).getByText('db'))

  const headers = { authorization: `Bearer ${token}` }
  const deploy = `${stage.url}/v1/applications/${applications.redis}/deploy`
  expect((await fetch(deploy, { method: 'POST', headers })).ok).toBe(true)
  await sees(nodeOf(page, 'redis').getByText('Queued'))

  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await page.getByRole('application', { name: 'Map of Harbor shop' }).focus()
  const read: (string | null | undefined)[] = []
  for (let stop = 0; stop < 6; stop++) {
    await page.keyboard.press('Tab')
    read.push(await focused())
  }
  expect(read).toEqual([
    'app-1',
    expect.stringContaining('harbor.example'),
    'storefront',
    expect.stringContaining('api.harbor.example'),
    'api',
    'redis',
  ])
  expect(await page.locator(`#map-${applications.api}`).textContent()).toBe(
    'Server app-1. References postgres, redis. Referenced by storefront. In the project network.',
  )
  const width = async () => (await nodeOf(page, 'redis').boundingBox())?.width ?? 0
  const before = await width()
  await page.keyboard.press('+')
  await expect.poll(width).toBeGreaterThan(before * 1.1)
  await page.keyboard.press('0')
  await expect.poll(width).toBeCloseTo(before, 0)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(focused).toBe('api')
  await page.keyboard.press('Enter')
  await isAt(page, `/dashboard/applications/${applications.api}`)
})

test('edits project variables and shows them as inherited and overridden', async () => {
  const id = await makeProject(stage.ctx, workspace, 'Harbour')
  await putInto(id, shop)
  const [page, other] = [await stage.page({ token }), await stage.visitor({ token })]
  await other.goto(`/dashboard/applications/${shop}/environment`)
  await sees(other.getByText('No variables yet'))
  await page.goto(`/dashboard/projects/${id}/variables`)
  await button(page, 'Edit as text').click()
  await field(page, 'Variables').fill('MODE=production\nTOKEN=hunter2')
  await button(page, 'Save 2 changes').click()
  await sees(rowsOf(page, 'Variables').filter({ hasText: 'TOKEN' }))

  // Updates live in the other browser.
  await sees(heading(other, 'From project Harbour'))
  await button(other, 'Show the value of TOKEN from the project').click()
  await sees(other.getByText('hunter2'))
  await button(other, 'Override MODE').click()
  await other.getByRole('dialog').getByLabel('Value', { exact: true }).fill('test')
  await button(other, 'Add variable').last().click()
  await sees(rowsOf(other, 'Inherited variables').filter({ hasText: 'MODE' }).getByText('Overridden'))
  await sees(rowsOf(other, 'Inherited variables').filter({ hasText: 'TOKEN' }).getByText('In use'))

  // A viewer sees names without actions.
  const looking = await stage.visitor({ token: viewer.token })
  await looking.goto(`/dashboard/applications/${shop}/environment`)
  await sees(heading(looking, 'From project Harbour'))
  await expect.poll(() => looking.getByRole('button', { name: /^(Override|Show)/ }).count()).toBe(0)
})

test('has accessible project screens that fit every width', async () => {
  const name = 'Averylongnamewithoutasinglespace'.repeat(4).slice(0, 100)
  const id = await makeProject(stage.ctx, workspace, name, {
    MODE: 'production',
    [`LONG_${'A'.repeat(120)}`]: 'b'.repeat(300),
  })
  await putInto(id, shop)
  const path = `/dashboard/projects/${id}`
  const screens: Screen[] = [
    { name: 'projects', long: true, path: '/dashboard/projects', shows: (page) => sees(link(page, name)) },
    { name: 'project', path, shows: (page) => sees(link(page, 'shop')) },
    {
      name: 'project as a list',
      path: `${path}?view=list`,
      shows: (page) => sees(rowsOf(page, 'Applications').last()),
    },
    {
      name: 'choice',
      path: `${path}?dialog=applications`,
      after: (page) => field(page, 'wiki').check(),
      shows: (page) => sees(page.getByText('1 application will be added.')),
    },
    { name: 'variables', path: `${path}/variables`, shows: (page) => sees(page.getByText('MODE')) },
    {
      name: 'settings',
      path: `${path}/settings`,
      shows: (page) => sees(heading(page, 'Delete project')),
    },
    {
      name: 'inherited',
      path: `/dashboard/applications/${shop}/environment`,
      shows: (page) => sees(heading(page, `From project ${name}`)),
    },
    {
      name: 'filtered list',
      long: true,
      path: `/dashboard/servers?project=${id}`,
      shows: (page) => sees(page.getByText('No servers in this project')),
    },
  ]
  expect(await faults(await stage.page({ token }), path, screens)).toEqual([])
})

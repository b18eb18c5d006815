import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, sees } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeSettings } from '../worlds/world-settings.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'

const text = (words: string) => (page: Page) =>
  sees(page.getByText(words, { exact: true }).filter({ visible: true }).first())
const dialog = (name: string | RegExp) => (page: Page) => sees(page.getByRole('dialog', { name }))
const press = (name: string) => (page: Page) => button(page, name).first().click()
const choose = (of: string, item: string) => async (page: Page) => {
  await button(page, `Actions for ${of}`).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Settings of an application with entries of every kind. */
const settingsScreens = (path: string): Screen[] => [
  {
    name: 'environment with values',
    path: `${path}/environment`,
    after: press('Show values'),
    shows: text('production'),
  },
  {
    name: 'environment as text',
    long: true,
    path: `${path}/environment?dialog=text`,
    after: (page) => field(page, 'Variables').fill('MODE=staging\n=nothing\nNEW=1\nNEW=2'),
    shows: text('Changes'),
  },
  { name: 'networking', path: `${path}/networking`, shows: text('No certificate') },
  { name: 'new address', path: `${path}/networking?dialog=add-domain`, shows: dialog('Add domain') },
  {
    name: 'own certificate',
    long: true,
    path: `${path}/networking`,
    after: choose('shop.example.com/', 'Upload certificate…'),
    shows: dialog(/^Upload certificate/),
  },
  { name: 'storage, from a former address', path: `${path}/storage`, shows: text('/srv/uploads') },
  { name: 'new storage', path: `${path}/storage?dialog=add-volume`, shows: dialog('Add storage') },
  { name: 'new labels', long: true, path: `${path}/labels?dialog=add-labels`, shows: dialog('Add labels') },
  {
    name: 'application metrics',
    path: `${path}/metrics`,
    shows: (page) => sees(page.getByRole('region', { name: 'Memory', exact: true }).locator('canvas')),
  },
  {
    name: 'application settings with errors',
    path: `${path}/settings`,
    after: async (page) => {
      await field(page, 'Replicas').fill('many')
      await button(page, 'Save').click()
    },
    shows: text('Must be a number.'),
  },
]

// No worker runs, so that everything stays as shown.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database

test('has accessible application settings that fit every width', async () => {
  const { workspace, admin } = await makeTeam(db)
  const server = await makeShownServer(db, workspace)
  const id = await makeApplication(db, workspace, server)
  await makeSettings(stage.ctx, workspace, id)
  const page = await stage.page({ token: admin.token })
  const path = `/dashboard/applications/${id}`
  expect(await faults(page, path, settingsScreens(path))).toEqual([])
})

test('keeps a form in its place while it is in use, also when a notice appears', async () => {
  const { workspace, admin } = await makeTeam(db)
  const id = await makeApplication(db, workspace, await makeShownServer(db, workspace))
  const page = await stage.page({ token: admin.token })
  await page.goto(`/dashboard/applications/${id}/settings`)
  const replicas = field(page, 'Replicas')
  const top = async () => (await replicas.boundingBox())?.y
  // What is hidden while the page loads takes no focus.
  await sees(replicas)
  await replicas.focus()
  const before = await top()
  const changed = await fetch(`${stage.url}/v1/applications/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ maintenance: true }),
  })
  expect(changed.status).toBe(200)
  const notice = page.getByRole('region', { name: 'Maintenance page enabled', includeHidden: true })
  await notice.waitFor({ state: 'attached' })
  expect([await top(), await notice.isVisible()]).toEqual([before, false])
  await button(page, 'Toggle the sidebar').focus()
  await sees(notice)
})

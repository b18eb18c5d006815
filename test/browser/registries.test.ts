import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { fillDockerHub } from '../support/factories/docker-hub-images.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeDockerHub } from '../support/fakes/docker-hub.ts'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, misses, sees, toast } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'

const hub = await startFakeDockerHub()
afterAll(() => hub.close())
const stage = await openStage({ ...hub.env, ROLE: 'web' })
const { db } = stage.database
fillDockerHub(hub)

const create = '/dashboard/applications/create'
const found = (page: Page, place: string) => page.getByRole('region', { name: `Images of ${place}` })
const tags = (page: Page, of: string) => page.getByRole('region', { name: `Tags of ${of}` })
const chooseImage = (page: Page) => page.getByRole('radio', { name: 'Docker image' }).check()
const image = (page: Page) => field(page, 'Image')

test('adds accepted credentials, tests, changes and removes them', async () => {
  const { admin, viewer } = await makeTeam(db)
  const page = await stage.page({ token: admin.token })
  await page.goto('/dashboard/settings/registries')
  await button(page, 'Add registry').click()
  const dialog = page.getByRole('dialog')
  await field(dialog, 'Username').fill('acme')
  await field(dialog, 'Access token').fill('a bad token')
  await button(dialog, 'Add registry').click()
  await sees(dialog.getByText(/^Docker Hub rejected this username/))
  await field(dialog, 'Access token').fill('a good token')
  await button(dialog, 'Add registry').click()
  await sees(toast(page, 'Registry added'))
  const row = page
    .getByRole('table', { name: 'Image registries' })
    .getByRole('row')
    .filter({ hasText: 'acme' })
  await sees(row.getByText('Works'))
  hub.addAccount('acme', 'another token')
  await button(page, 'Actions for Docker Hub').click()
  await page.getByRole('menuitem', { name: 'Test' }).click()
  await sees(row.getByText('Failing'))
  await button(page, 'Actions for Docker Hub').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Access token/)
    .fill('another token')
  await button(page.getByRole('dialog'), 'Save').click()
  await sees(row.getByText('Works'))

  // Private images are found with them.
  await page.goto(create)
  await chooseImage(page)
  await button(page, 'Search in Docker Hub').click()
  await found(page, 'Docker Hub')
    .getByRole('button', { name: /^acme\/shop/ })
    .click()
  await sees(tags(page, 'acme/shop').getByRole('button', { name: /^2\.1/ }))

  const other = await stage.visitor({ token: viewer.token })
  await other.goto('/dashboard/settings/registries')
  await sees(other.getByRole('cell', { name: 'acme' }))
  await misses(button(other, 'Add registry'))
  await page.goto('/dashboard/settings/registries')
  await button(page, 'Actions for Docker Hub').click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await button(page.getByRole('alertdialog'), 'Remove registry').click()
  await sees(other.getByText('No registries yet'))
})

test('has accessible screens that fit every width', async () => {
  const { workspace, admin } = await makeTeam(db)
  await makeShownServer(db, workspace, { architecture: 'aarch64' })
  const id = 'reg_shown'
  await db
    .insertInto('registries')
    .values({
      id,
      workspace_id: workspace,
      name: 'Our own registry',
      kind: 'other',
      host: 'registry.internal.example.com:5000',
      scope: 'acme/platform',
      username: 'deployer',
      password_sealed: stage.ctx.secrets.seal(`registries.password_sealed:${id}`, 'x'),
      error: 'The registry registry.internal.example.com:5000 did not respond in time.',
    })
    .execute()
  const page = await stage.page({ token: admin.token })
  const screens: Screen[] = [
    {
      name: 'registries',
      path: '/dashboard/settings/registries',
      shows: (one) => sees(one.getByText('Failing')),
    },
    {
      name: 'a new registry',
      path: '/dashboard/integrations?dialog=add-registry',
      shows: (one) => sees(one.getByRole('dialog', { name: 'Add registry' })),
    },
    {
      name: 'images found',
      path: create,
      after: async (one) => {
        const refused = one.waitForResponse((answer) => answer.url().includes('registry_id=') && !answer.ok())
        await chooseImage(one)
        await image(one).fill('nginx')
        await refused
      },
      shows: (one) => sees(found(one, 'Docker Hub')),
    },
    {
      name: 'tags',
      path: create,
      after: async (one) => {
        await chooseImage(one)
        await image(one).fill('nginx')
        await button(one, 'Choose a tag').click()
      },
      shows: (one) => sees(tags(one, 'nginx').getByRole('button').first()),
    },
  ]
  // The registry does not exist.
  stage.expectError(/50[24]|409/)
  expect(await faults(page, '/dashboard', screens)).toEqual([])
})

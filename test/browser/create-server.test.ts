import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { makeCloudToken, orderedServers } from '../support/factories/cloud-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { startFakeVultr } from '../support/fakes/clouds/vultr.ts'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, heading, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const [hetzner, vultr] = [await startFakeHetzner(), await startFakeVultr()]
afterAll(() => Promise.all([hetzner.close(), vultr.close()]))
hetzner.soldOut('cx33', 'fsn1')
// No worker runs, so that the order stays as it is.
const stage = await openStage({
  ...hetzner.env,
  ...vultr.env,
  ROLE: 'web',
  PUBLIC_URL: 'http://slipway.test',
})
const { db } = stage.database

const create = '/dashboard/servers/create'
const region = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Region' }).getByRole('radio', { name })
const types = (page: Page) => page.getByRole('table', { name: 'Types' })
const type = (page: Page, name: string) => types(page).getByRole('radio', { name: new RegExp(`^${name}\\b`) })
const summary = (page: Page) => page.locator('section').filter({ has: heading(page, 'Summary') })
const isChecked = async (page: Page, name: string) => {
  await expect.poll(() => type(page, name).isChecked()).toBe(true)
}

test('orders a server with the keyboard only', async () => {
  const { workspace, admin } = await makeTeam(db)
  const page = await stage.page({ token: admin.token })
  const { keyboard } = page
  await page.goto('/dashboard/servers')
  await page.getByRole('link', { name: 'Create server' }).last().press('Enter')
  await button(page, 'Add cloud token').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add cloud token' })
  await field(dialog, 'Token').focus()
  await keyboard.type(hetzner.addToken())
  await keyboard.press('Enter')
  await sees(toast(page, 'Cloud token added'))
  // A single option is preselected.
  await sees(page.getByText('Choose a region first.'))

  await region(page, 'Helsinki').focus()
  await keyboard.press('Space')
  await keyboard.press('ArrowRight')
  await expect.poll(() => region(page, 'Falkenstein').isChecked()).toBe(true)
  expect(await type(page, 'CX33').isDisabled()).toBe(true)
  await sees(types(page).getByRole('row').filter({ hasText: 'CX33' }).getByText('Sold out'))
  await sees(summary(page).getByText('Choose a server type to see the price.'))

  await keyboard.press('/')
  await keyboard.type('cx')
  await misses(type(page, 'CAX11'))
  await keyboard.press('Tab')
  await button(types(page), 'Monthly').focus()
  await keyboard.press('Enter')
  await type(page, 'CX23').focus()
  await keyboard.press('Space')
  // Sold-out types are skipped.
  await keyboard.press('ArrowDown')
  await isChecked(page, 'CX43')
  await sees(summary(page).getByText('€11.89'))
  await sees(summary(page).getByText(/^Including tax/))
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ region: 'fsn1', type: 'cx43' })

  await field(page, 'Name').focus()
  await keyboard.type('web-1')
  await keyboard.press('Tab')
  await keyboard.type('web, eu')
  await keyboard.press('Control+Enter')
  await sees(heading(page, 'web-1'))
  expect(page.url()).toMatch(/\/servers\/srv_/)
  expect(await orderedServers(db, workspace)).toEqual([
    { name: 'web-1', status: 'provisioning', region: 'fsn1', type: 'cx43', image: 'debian-13' },
  ])
})

test('has accessible screens that fit every width', async () => {
  const { workspace, admin } = await makeTeam(db)
  const page = await stage.page({ token: admin.token })
  const none: Screen[] = [
    {
      name: 'no cloud account yet',
      path: create,
      shows: (one) => sees(one.getByText('No cloud tokens yet')),
    },
    {
      name: 'no servers yet',
      long: true,
      path: '/dashboard/servers',
      shows: (one) => sees(one.getByText('No servers yet')),
    },
  ]
  expect(await faults(page, '/dashboard', none)).toEqual([])
  const id = await makeCloudToken(stage.ctx, workspace, hetzner.addToken(), { name: 'Acme' })
  const long = 'averylongnamewithoutasinglespace'.repeat(4).slice(0, 100)
  const other = await makeCloudToken(stage.ctx, workspace, vultr.addToken(), {
    name: long,
    provider: 'vultr',
    error: 'Vultr did not take it.',
  })
  const some: Screen[] = [
    {
      name: 'a server with faults',
      path: `${create}?token=${id}&region=fsn1`,
      after: async (one) => {
        await sees(types(one))
        await button(one, 'Create server').click()
      },
      shows: (one) => sees(one.getByText('Choose one.')),
    },
    {
      name: 'a server of a cloud with many types',
      path: `${create}?token=${other}&region=ams&type=vc2-1c-1gb`,
      shows: (one) => sees(summary(one).getByText(/^Excluding tax/)),
    },
  ]
  expect(await faults(page, '/dashboard', some)).toEqual([])
})

import { expect, test, vi } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { openCommand } from '../../server/areas/applications/config.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { button, field, isAt, misses, sees, toast } from '../support/console/see.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'

// No worker runs, so that everything stays as the tests leave it.
const stage = await openConsole()
const { db } = stage.slipway
const { workspace, member, admin } = await makeTeam(db)
const server = await makeShownServer(db, workspace)

const pathOf = (id: string) => `/dashboard/applications/${id}`

async function openSettings() {
  const id = await makeApplication(db, workspace, server, { name: 'shop' })
  const page = stage.page({ token: member.token })
  await page.goto(`${pathOf(id)}/settings`)
  return { page, id }
}

const form = (page: ConsolePage, title: string) =>
  page.locator('form').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const settingsOf = async (id: Id<'application'>) => {
  const row = await db.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { ...row, command: openCommand(stage.slipway.ctx, row) }
}

test('saves the changed cards together, keeps the failed ones, and says what needs a deployment', async () => {
  const { page, id } = await openSettings()
  await field(page, 'Name').fill('storefront')
  await misses(page.getByText('Applies on the next deployment.'))
  await field(page, 'Image').fill('not an image!')
  await field(page, 'Memory (MiB) (optional)').fill('plenty')
  await field(page, 'Replicas').fill('3')
  await sees(page.getByText('4 unsaved changes'))
  await sees(page.getByText('Applies on the next deployment.'))
  await button(page, 'Save').click()
  await sees(page.getByRole('heading', { name: 'storefront', level: 1 }))
  await sees(form(page, 'Source').locator('[id$=-error]'))
  await sees(form(page, 'Resources').getByText('Must be a number.'))
  await expect.poll(() => field(page, 'Image').isFocused()).toBe(true)
  await sees(page.getByText('3 unsaved changes'))

  await field(page, 'Image').fill('rig/app:2')
  await field(page, 'Memory (MiB) (optional)').fill('512')
  await field(page, 'CPU (cores) (optional)').fill('0.5')
  await field(page, 'Port (optional)').fill('3000')
  // A select closes when the page scrolls.
  await vi.waitFor(async () => {
    await field(page, 'Health check').click()
    await page.getByRole('option', { name: 'HTTP request' }).click()
  })
  await field(page, 'Path').fill('healthz')
  await field(page, 'Command (optional)').fill('node server.js "--name=a b"')
  await field(page, 'Drain timeout (seconds)').fill('0')
  await page.keyboard.press('Control+s')
  await sees(page.getByText('Must be a path, such as /healthz.').first())
  await sees(form(page, 'Runtime').getByText('Must be at least 1 second.'))
  await expect.poll(() => field(page, 'Path').isFocused()).toBe(true)
  await sees(page.getByText('5 unsaved changes'))
  await field(page, 'Path').fill('/healthz')
  await field(page, 'Drain timeout (seconds)').fill('60')
  await page.keyboard.press('Control+Enter')
  await sees(toast(page, 'Changes saved. Redeploy to apply.'))
  await misses(button(page, 'Save'))

  const maintenance = page.getByRole('switch', { name: 'Maintenance page' })
  await maintenance.click()
  const question = page.getByRole('alertdialog', { name: 'Turn on maintenance for storefront?' })
  await sees(question)
  expect((await settingsOf(id)).maintenance).toBe(false)
  await button(question, 'Turn on').click()
  await misses(question)
  await page.getByRole('switch', { name: 'Automatic rollback' }).click()
  await expect.poll(async () => (await settingsOf(id)).auto_rollback).toBe(true)
  await expect.poll(() => maintenance.getAttribute('aria-checked')).toBe('true')
  expect(await settingsOf(id)).toMatchObject({
    name: 'storefront',
    image: 'rig/app:2',
    port: 3000,
    health: { type: 'http', path: '/healthz', within_seconds: 60 },
    memory_limit: 512 * 1024 ** 2,
    cpu_limit: 0.5,
    replicas: 3,
    command: ['node', 'server.js', '--name=a b'],
    drain_seconds: 60,
    maintenance: true,
  })
  await button(page, 'Delete application').click()
  await sees(page.getByRole('alertdialog', { name: 'Delete storefront?' }))
})

test('keeps unsaved settings while others change, asks before leaving, and discards them', async () => {
  const { page, id } = await openSettings()
  const grace = field(page, 'Stop grace period (seconds)')
  await grace.fill('25')
  await misses(page.getByText('2 unsaved changes'))
  await field(page, 'Replicas').fill('x')
  await sees(page.getByText('2 unsaved changes'))
  const answer = await fetch(`${stage.url}/v1/applications/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'renamed', stop_grace_seconds: 40 }),
  })
  expect(answer.status).toBe(200)
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('renamed')
  expect(await grace.inputValue()).toBe('25')

  const question = page.getByRole('alertdialog', { name: 'Discard 2 unsaved changes?' })
  await page.getByRole('link', { name: 'Overview' }).click()
  await button(question, 'Keep editing').click()
  await misses(question)
  expect(await grace.inputValue()).toBe('25')
  await button(page, 'Discard').click()
  await expect.poll(() => field(page, 'Replicas').inputValue()).toBe('1')
  await expect.poll(() => grace.inputValue()).toBe('40')
  await misses(button(page, 'Save'))

  await field(page, 'Replicas').fill('2')
  await page.getByRole('link', { name: 'Overview' }).click()
  await button(page.getByRole('alertdialog', { name: 'Discard 1 unsaved change?' }), 'Discard').click()
  await isAt(page, pathOf(id))
  await page.getByRole('navigation', { name: 'Application' }).getByRole('link', { name: 'Settings' }).click()
  await expect.poll(() => field(page, 'Replicas').inputValue()).toBe('1')
  await field(page, 'Replicas').fill('2')
  await page.goBack()
  await button(page.getByRole('alertdialog'), 'Keep editing').click()
  await isAt(page, `${pathOf(id)}/settings`)
  expect(await field(page, 'Replicas').inputValue()).toBe('2')
})

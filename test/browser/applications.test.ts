import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { loadApp } from '../support/rig/load-app.ts'
import { takeSetUpHost } from '../support/stages/setups.ts'
import { button, field, heading, misses, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const host = await takeSetUpHost()
await loadApp(host)
const stage = await openStage({ PROXY_IMAGE: host.image.name })
const team = await makeTeam(stage.database.db)
const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })
const create = '/dashboard/applications/create'

/** A deployment takes seconds; a busy machine gets more. */
const soon = { timeout: 120_000 }

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'))

const section = (page: Page, title: string) => page.locator('summary', { hasText: title })

test('creates an application on one page and shows its first deployment', async () => {
  const page = await stage.page({ token: team.member.token })
  await page.goto('/dashboard/applications')
  await sees(page.getByText('No applications yet'))
  await page.getByRole('main').getByRole('link', { name: 'New application' }).first().click()

  await sees(page.getByRole('combobox', { name: 'Server' }).getByText('web-1'))
  await page.getByText(/ memory and .* disk free/).waitFor(soon)
  await button(page, 'Deploy').click()
  await sees(page.getByText('Enter an image name or choose an image from a server.'))
  expect(await focused(page)).toBe('source.image')
  await field(page, 'Image').fill('a'.repeat(600))
  await field(page, 'Image').press('Enter')
  await sees(page.getByText('Must have at most 300 characters.'))
  await section(page, 'Images on web-1').click()
  const images = page.getByRole('list', { name: 'Images' })
  await images.getByRole('button', { name: /^rig\/app:latest/ }).click(soon)
  await expect.poll(() => field(page, 'Image').inputValue()).toBe('rig/app:latest')
  // The proxy is not listed.
  expect(await images.allTextContents()).not.toEqual([expect.stringContaining(host.image.name)])

  await configure(page)
  await page.keyboard.press('Control+Enter')

  const dialog = page.getByRole('dialog')
  await dialog.locator('[data-tone=green]').getByText('Completed').first().waitFor(soon)
  expect(new URL(page.url()).pathname).toMatch(/\/applications\/app_\w+\/deployments$/)
  expect(new URL(page.url()).search).toMatch(/^\?deploymentId=dep_\w+$/)
  await page.goto(create)
  await sees(field(page, 'Image'))
  await expect.poll(() => field(page, 'Image').inputValue()).toBe('')
})

/** A reload drops fields that may be secret, and errors appear at their fields. */
async function configure(page: Page) {
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('app')
  await sees(page.getByText('app.•••.sslip.io'))
  await field(page, 'Name').fill('shop')
  await sees(page.getByText('shop.•••.sslip.io'))
  await section(page, 'Environment variables').click()
  await button(page, 'Edit as text').click()
  await field(page, 'Variables').fill('GREETING=secret-of-mine\n=nothing\nGREETING=hello')
  await sees(section(page, 'Environment variables').getByText('1 variable'))
  await sees(page.getByText('Line 2: The name before the equals sign is missing. The line is ignored.'))
  await sees(page.getByText('GREETING is set twice. The last value is used.'))
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('secret-of-mine')
  await page.reload()
  await sees(page.getByText('Enter the environment variables again'))
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('shop')
  await field(page, 'Name of variable 1').fill('GREETING')
  await field(page, 'Name of variable 1').press('Enter')
  await page.keyboard.type('hello')
  await misses(page.getByText('Enter the environment variables again'))
  await section(page, 'Volumes').click()
  await field(page, 'Volumes (optional)').fill('data:/data')
  await section(page, 'Ports').click()
  await field(page, 'Published ports (optional)').fill('22:3000')
  await section(page, 'Ports').click()
  await field(page, 'Name').press('Control+Enter')
  await sees(page.getByText(/^“22:3000”: Choose another port/))
  expect(await focused(page)).toBe('ports')
  await field(page, 'Published ports (optional)').fill('')
  await section(page, 'Resources').click()
  await section(page, 'Advanced').click()
  await writeLabels(page)
  await writeLimits(page)
}

/** Commands are parsed like in a shell, and too many cores are refused before anything is created. */
async function writeLimits(page: Page) {
  const command = field(page, 'Command (optional)')
  await command.fill(`sh -c 'a | b`)
  await field(page, 'CPU (cores) (optional)').fill('500')
  await button(page, 'Deploy').click()
  await sees(page.getByText('The closing quote is missing.'))
  await command.fill(`sh -c 'a | b' "" c`)
  const read = page.getByRole('list', { name: 'Arguments' }).getByRole('listitem')
  await vi.waitFor(async () =>
    expect(await read.allTextContents()).toEqual(['sh', '-c', 'a | b', 'empty', 'c']),
  )
  await command.fill('')
  await button(page, 'Deploy').click()
  await sees(page.locator('details').getByText(/^Must be at most \d+: the server has \d+ cores?\.$/))
  expect(await focused(page)).toBe('cpu_limit')
  await field(page, 'CPU (cores) (optional)').fill('0.5')
}

/** A comma or Enter ends a tag, and Backspace edits the last one. */
async function writeLabels(page: Page) {
  const labels = field(page, 'Labels (optional)')
  await labels.pressSequentially('team=shop,tier=web')
  await labels.press('Enter')
  await sees(button(page, 'Remove tier=web'))
  await labels.press('Backspace')
  await expect.poll(() => labels.inputValue()).toBe('tier=web')
  await labels.fill('')
  await misses(button(page, 'Remove tier=web'))
  await sees(button(page, 'Remove team=shop'))
}

longTest('lists an application, finds it in the palette and shows it on its server page', async () => {
  const page = await stage.page({ token: team.viewer.token })
  await page.goto('/dashboard/applications')
  await row(page, 'shop').locator('[data-tone=green]').getByText('Running').waitFor(soon)
  await sees(row(page, 'shop').getByText('1/1'))
  await sees(row(page, 'shop').getByText('rig/app:latest'))
  const address = row(page, 'shop').getByRole('link', { name: /sslip\.io/ })
  await expect.poll(() => address.getAttribute('href')).toMatch(/^http:\/\/shop\./)
  await expect.poll(() => page.getByRole('link', { name: 'New application' }).count()).toBe(0)
  await page.goto(create)
  await sees(page.getByText(/^You need the member role\./))

  await page.keyboard.press('Control+k')
  await page.keyboard.type('shop')
  await page.getByRole('option', { name: 'shop' }).click()
  await sees(heading(page, 'shop'))
  await page.goto(`/dashboard/servers/${server}`)
  await sees(
    page.getByRole('table', { name: 'Applications' }).getByRole('link', { name: 'shop', exact: true }),
  )
  await misses(page.getByRole('link', { name: 'New application' }))
})

import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { proxyImage } from '../support/rig/images.ts'
import { machineAddress } from '../support/rig/take.ts'
import { button, field, heading, isAt, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const hetzner = await startFakeHetzner({ machines: true })
afterAll(() => hetzner.close())
const image = await proxyImage()
const stage = await openStage(async (url) => ({
  ...hetzner.env,
  PROXY_IMAGE: image.name,
  // URL under which the servers reach Slipway.
  HOST: '0.0.0.0',
  PUBLIC_URL: url.replace('localhost', machineAddress()),
}))
const team = await makeTeam(stage.database.db)

/** A machine boots and is set up; a busy one gets more time. */
const soon = { timeout: 120_000 }
vi.setConfig({ testTimeout: 300_000 })

const step = (page: Page, words: string) => page.getByRole('list', { name: 'Steps' }).getByText(words)

test('leads from a token to a ready server without a terminal, and destroys it', async () => {
  const page = await stage.page({ token: team.admin.token })
  await page.goto('/dashboard/servers')
  await page.getByRole('link', { name: 'Create server' }).last().click()
  await button(page, 'Add cloud token').click()
  const dialog = page.getByRole('dialog', { name: 'Add cloud token' })
  await field(dialog, 'Token').fill(hetzner.addToken())
  await button(dialog, 'Add token').click()
  await page.getByRole('radio', { name: 'Falkenstein' }).check()
  await page.getByRole('table', { name: 'Types' }).getByRole('cell', { name: 'CX23', exact: true }).click()
  await field(page, 'Name').fill('web-1')
  await button(page, 'Create server').click()

  await sees(heading(page, 'web-1'))
  await step(page, 'Create, done').waitFor(soon)
  await step(page, 'Connect to Slipway, done').waitFor(soon)
  await sees(page.getByRole('log'))
  await page.getByText('Ready', { exact: true }).waitFor(soon)
  await sees(heading(page, 'Setup completed'))
  await sees(page.getByText('€4.75 a month'))
  const [made] = hetzner.servers
  expect(made?.name).toBe('web-1')
  expect(await made?.machine?.exec('docker', 'ps', '--format', '{{.Names}}')).toContain('slipway-proxy')
  // The key at the provider was removed.
  await expect.poll(() => hetzner.keys.length, soon).toBe(0)

  await page.getByRole('link', { name: 'Settings' }).last().click()
  await button(page, 'Delete server').click()
  const question = page.getByRole('alertdialog', { name: 'Delete web-1?' })
  await expect
    .poll(() => question.getByRole('radio', { name: 'Destroy the server at Hetzner' }).isChecked())
    .toBe(true)
  await field(question, 'Type web-1 to confirm').fill('web-1')
  await button(question, 'Destroy server').click()
  await toast(page, 'Server deleted').waitFor(soon)
  await isAt(page, '/dashboard/servers')
  await sees(page.getByText('No servers yet'))
  expect(hetzner.servers).toEqual([])
})

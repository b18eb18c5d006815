import { afterAll, expect, test } from 'vitest'
import { makeCloudServer, makeCloudToken } from '../support/factories/cloud-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { button, field, misses, sees, toast } from '../support/console/see.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'

const hetzner = await startFakeHetzner()
afterAll(() => hetzner.close())
const stage = await openConsole({ ...hetzner.env })
const { db } = stage.slipway

const place = '/dashboard/settings/cloud-tokens'
const dialog = (page: ConsolePage) => page.getByRole('dialog')
const row = (page: ConsolePage, name: string) =>
  page.getByRole('table', { name: 'Cloud tokens' }).getByRole('row').filter({ hasText: name })

async function act(page: ConsolePage, of: string, item: string) {
  await button(page, `Actions for ${of}`).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('saves a token once the provider accepts it with all permissions', async () => {
  const { admin } = await makeTeam(db)
  const page = stage.page({ token: admin.token })
  await page.goto('/dashboard/settings')
  await page.getByRole('link', { name: 'Cloud tokens' }).click()
  await button(page, 'Add token').click()
  const [token, add] = [field(dialog(page), 'Token'), button(dialog(page), 'Add token')]
  await dialog(page).getByRole('radio', { name: 'Hetzner' }).check()
  await add.click()
  await sees(dialog(page).getByText('Fill in this field.'))
  await token.fill('no-token-of-theirs')
  await add.click()
  await sees(dialog(page).getByText(/^Hetzner rejected this token/))
  await expect.poll(() => token.getAttribute('aria-invalid')).toBe('true')
  expect(await token.isFocused()).toBe(true)
  await token.fill(hetzner.addToken({ rights: 'read' }))
  await add.click()
  await sees(dialog(page).getByText(/^This token lacks permissions at Hetzner/))
  const good = hetzner.addToken()
  await token.fill(good)
  await field(dialog(page), 'Name (optional)').fill('Acme production')
  await token.press('Control+Enter')
  await sees(toast(page, 'Cloud token added'))
  await sees(row(page, 'Acme production').getByText('Works'))
  await page.reload()
  await sees(row(page, 'Acme production'))
  expect(await page.content()).not.toContain(good)
})

test('shows a revoked token, replaces it for the same account, renames and removes it', async () => {
  const { workspace, admin } = await makeTeam(db)
  const first = hetzner.addToken()
  const id = await makeCloudToken(stage.slipway.ctx, workspace, first, { name: 'Acme' })
  const known = hetzner.addServer({ name: 'web-1', region: 'fsn1', type: 'cx23', image: 'debian-12' })
  await makeCloudServer(stage.slipway.ctx, workspace, id, { cloud_id: known.id })
  const page = stage.page({ token: admin.token })
  await page.goto(place)
  hetzner.revoke(first)
  await act(page, 'Acme', 'Check now')
  await sees(row(page, 'Acme').getByText('Refused'))
  await sees(row(page, 'Acme').getByText(/^Hetzner rejected this token/))

  await act(page, 'Acme', 'Edit')
  const another = field(dialog(page), 'New token (optional)')
  await another.fill(hetzner.addToken({ account: 'other' }))
  await button(dialog(page), 'Save').click()
  await expect.poll(() => another.getAttribute('aria-invalid')).toBe('true')
  await another.fill(hetzner.addToken())
  await field(dialog(page), 'Name').fill('Acme Ltd')
  await button(dialog(page), 'Save').click()
  await sees(toast(page, 'Cloud token saved'))
  await sees(row(page, 'Acme Ltd').getByText('Works'))

  await act(page, 'Acme Ltd', 'Delete')
  const question = page.getByRole('alertdialog', { name: 'Delete Acme Ltd?' })
  await sees(question.getByText(/^One server that uses this token keeps running and is still billed\./))
  await button(question, 'Delete token').click()
  await sees(page.getByText('No cloud tokens yet'))
})

test('hides tokens from members who manage no servers', async () => {
  const { member } = await makeTeam(db)
  const page = stage.page({ token: member.token })
  await page.goto(place)
  await sees(page.getByText('You do not have access'))
  await misses(page.getByRole('link', { name: 'Cloud tokens' }))
  await page.goto('/dashboard/servers')
  await misses(page.getByRole('link', { name: 'Create server' }))
  await page.goto('/dashboard/servers/create')
  await sees(page.getByText('You do not have access'))
})

test('warns first when PUBLIC_URL is not reachable for clouds', async () => {
  const { admin } = await makeTeam(db)
  const page = stage.page({ token: admin.token })
  await page.goto('/dashboard/servers')
  await page.getByRole('link', { name: 'Create server' }).first().click()
  await sees(page.getByText(/Set PUBLIC_URL to an address that your servers can reach/))
  await misses(button(page, 'Add cloud token'))
})

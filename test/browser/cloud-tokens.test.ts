import type { Page } from 'playwright-core'
import { afterAll, expect, test, vi } from 'vitest'
import { makeCloudServer, makeCloudToken } from '../support/factories/cloud-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/screens.ts'
import { button, field, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const hetzner = await startFakeHetzner()
afterAll(() => hetzner.close())
const stage = await openStage({ ...hetzner.env, ROLE: 'web' })
vi.setConfig({ testTimeout: 120_000 })
const { db } = stage.database

const place = '/dashboard/settings/cloud-tokens'
const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Cloud tokens' }).getByRole('row').filter({ hasText: name })

async function act(page: Page, of: string, item: string) {
  await button(page, `Actions for ${of}`).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a token is kept once its provider takes it and it may do all that is needed', async () => {
  const { admin } = await makeTeam(db)
  const page = await stage.page({ token: admin.token })
  await page.goto('/dashboard/settings')
  await page.getByRole('link', { name: 'Cloud tokens' }).click()
  await button(page, 'Add token').click()
  const [token, add] = [field(dialog(page), 'Token'), button(dialog(page), 'Add token')]
  await dialog(page).getByRole('radio', { name: 'Hetzner' }).check()
  await add.click()
  await sees(dialog(page).getByText('Fill in this field.'))
  await token.fill('no-token-of-theirs')
  await add.click()
  await sees(dialog(page).getByText(/^Hetzner does not take this token/))
  expect(await token.getAttribute('aria-invalid')).toBe('true')
  expect(await token.evaluate((element) => element === document.activeElement)).toBe(true)
  await token.fill(hetzner.addToken({ rights: 'read' }))
  await add.click()
  await sees(dialog(page).getByText(/^Hetzner does not let this token do all that is needed/))
  const good = hetzner.addToken()
  await token.fill(good)
  await field(dialog(page), 'Name (optional)').fill('Acme production')
  await token.press('Control+Enter')
  await sees(toast(page, 'Acme production was added.'))
  await sees(row(page, 'Acme production').getByText('Works'))
  await page.reload()
  await sees(row(page, 'Acme production'))
  expect(await page.content()).not.toContain(good)
})

test('a token that was revoked says so, is replaced by one of the same account, renamed and removed', async () => {
  const { workspace, admin } = await makeTeam(db)
  const first = hetzner.addToken()
  const id = await makeCloudToken(stage.ctx, workspace, first, { name: 'Acme' })
  const known = hetzner.addServer({ name: 'web-1', region: 'fsn1', type: 'cx23', image: 'debian-12' })
  await makeCloudServer(stage.ctx, workspace, id, { cloud_id: known.id })
  const page = await stage.page({ token: admin.token })
  await page.goto(place)
  hetzner.revoke(first)
  await act(page, 'Acme', 'Check now')
  await sees(row(page, 'Acme').getByText('Refused'))
  await sees(row(page, 'Acme').getByText(/^Hetzner does not take this token/))

  await act(page, 'Acme', 'Edit')
  const another = field(dialog(page), 'Another token (optional)')
  await another.fill(hetzner.addToken({ account: 'other' }))
  await button(dialog(page), 'Save').click()
  await expect.poll(() => another.getAttribute('aria-invalid')).toBe('true')
  await another.fill(hetzner.addToken())
  await field(dialog(page), 'Name').fill('Acme Ltd')
  await button(dialog(page), 'Save').click()
  await sees(toast(page, 'Acme Ltd was saved.'))
  await sees(row(page, 'Acme Ltd').getByText('Works'))

  await act(page, 'Acme Ltd', 'Remove')
  const question = page.getByRole('alertdialog', { name: 'Remove Acme Ltd?' })
  await sees(question.getByText(/^One server stays and goes on running and costing\./))
  await button(question, 'Remove token').click()
  await sees(page.getByText('No cloud tokens yet'))
})

test('who manages no servers sees none of it', async () => {
  const { member } = await makeTeam(db)
  const page = await stage.page({ token: member.token })
  await page.goto(place)
  await sees(page.getByText('Your role does not show this'))
  await misses(page.getByRole('link', { name: 'Cloud tokens' }))
  await page.goto('/dashboard/servers')
  await misses(page.getByRole('link', { name: 'Create server' }))
  await page.goto('/dashboard/servers/create')
  await sees(page.getByText('Your role does not show this'))
})

test('that clouds cannot call this Slipway is said before anything is filled in', async () => {
  const { admin } = await makeTeam(db)
  const page = await stage.page({ token: admin.token })
  await page.goto('/dashboard/servers')
  await page.getByRole('link', { name: 'Create server' }).first().click()
  await sees(page.getByText(/Set PUBLIC_URL to an address that your servers reach/))
  await misses(button(page, 'Add a cloud token'))
})

test('axe finds nothing wrong with them, and they fit every screen', async () => {
  const { workspace, admin } = await makeTeam(db)
  const long = 'averylongnamewithoutasinglespace'.repeat(4).slice(0, 100)
  const id = await makeCloudToken(stage.ctx, workspace, 'x', { name: long, account: `${long}@example.com` })
  const error = 'Hetzner does not take this token: it is wrong, was revoked, or has expired.'
  await makeCloudToken(stage.ctx, workspace, 'y', { name: 'Old', error })
  await makeCloudToken(stage.ctx, workspace, 'z', { name: 'New', checked_at: null })
  const page = await stage.page({ token: admin.token })
  const screens: Screen[] = [
    { name: 'cloud tokens', path: place, shows: (one) => sees(one.getByText('Refused')) },
    {
      name: 'a new cloud token',
      path: `${place}?dialog=add-cloud-token`,
      after: (one) => button(dialog(one), 'Add token').click(),
      shows: (one) => sees(dialog(one).getByText('Fill in this field.')),
    },
    {
      name: 'another token',
      path: `${place}?dialog=edit-${id}`,
      shows: (one) => sees(field(one, 'Another token (optional)')),
    },
    {
      name: 'a cloud token to remove',
      path: `${place}?dialog=remove-${id}`,
      shows: (one) => sees(one.getByRole('alertdialog')),
    },
    {
      name: 'what is in the way of clouds',
      path: '/dashboard/servers/create',
      shows: (one) => sees(one.getByText(/Set PUBLIC_URL/)),
    },
  ]
  expect(await faults(page, '/dashboard', screens)).toEqual([])
})

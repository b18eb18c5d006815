import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeCloudServer, makeCloudToken } from '../support/factories/cloud-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { button, heading, misses, sees } from '../support/console/see.ts'
import { openConsole } from '../support/console/open-console.ts'

const hetzner = await startFakeHetzner()
afterAll(() => hetzner.close())
const stage = await openConsole({ ...hetzner.env, PUBLIC_URL: 'https://slipway.example.com' })
const { db } = stage.slipway

const page0 = '/dashboard/import/servers?way=cloud'
const kind = { region: 'fsn1', type: 'cx23', image: 'debian-12' }

test('imports servers of an account by command or SSH', async () => {
  const { workspace, admin } = await makeTeam(db)
  const tokenId = await makeCloudToken(stage.slipway.ctx, workspace, hetzner.addToken(), { name: 'Acme' })
  const [, , known] = ['db-1', 'db-2', 'web-1'].map((name) => hetzner.addServer({ name, ...kind }))
  hetzner.addServer({ name: 'off-1', ...kind, status: 'off' })
  const web = { name: 'shop', provider: 'hetzner' }
  await makeCloudServer(stage.slipway.ctx, workspace, tokenId, { cloud_id: known?.id ?? '' }, web)
  const page = stage.page({ token: admin.token })
  await page.goto('/dashboard/import/servers')
  await page.getByRole('link', { name: /^From a cloud account/ }).click()
  // A single account is preselected.
  const box = (name: string) => page.getByRole('checkbox', { name })
  await sees(box('db-1'))
  await sees(page.getByRole('link', { name: 'shop' }))
  for (const name of ['web-1', 'off-1']) expect(await box(name).isDisabled()).toBe(true)
  await sees(page.getByText('Powered off'))
  await expect.poll(() => button(page, 'Import server').isDisabled()).toBe(true)
  await page.getByLabel('Search servers').fill('db')
  await misses(box('web-1'))
  for (const name of ['db-1', 'db-2']) {
    await box(name).focus()
    await page.keyboard.press('Space')
  }
  await sees(page.getByText('2 selected'))
  await button(page, 'Import 2 servers').click()

  await sees(heading(page, 'Connect db-2'))
  await sees(page.getByText(/^printf .*https:\/\/slipway\.example\.com/))
  // The URL keeps the current step.
  await page.reload()
  await button(page, 'Show command').click()
  await expect.poll(() => page.getByText(/^printf .* curl /).count()).toBe(2)
  const lines = await page.getByText(/^printf .* curl /).allTextContents()
  expect(new Set(lines).size).toBe(2)
  await button(page, 'Use SSH instead').first().click()
  await sees(page.getByText(/authorized_keys/))
  await sees(button(page, 'Connect'))
  await button(page, 'Import more servers').click()
  await sees(page.getByRole('link', { name: 'db-1' }))
  await expect.poll(() => box('db-1').isDisabled()).toBe(true)
  await page.getByRole('link', { name: 'db-1' }).click()
  await sees(heading(page, 'Connect db-1'))
})

test('shows a large account page by page in sort order', async () => {
  const { workspace, admin } = await makeTeam(db)
  await makeCloudToken(stage.slipway.ctx, workspace, hetzner.addToken({ account: 'big' }), { name: 'Big' })
  for (let n = 1; n <= 130; n++) hetzner.addServer({ name: `n-${n}`, ...kind, account: 'big' })
  const page = stage.page({ token: admin.token })
  await page.goto(`${page0}&sort=-name`)
  const boxes = page.getByRole('checkbox')
  await sees(page.getByRole('checkbox', { name: 'n-130', exact: true }))
  await expect.poll(() => boxes.count()).toBe(100)
  await page.getByRole('checkbox', { name: 'n-130', exact: true }).check()
  await button(page, 'Load more').click()
  await expect.poll(() => boxes.count()).toBe(130)
  await misses(button(page, 'Load more'))
  // A selected server stays selected while it is hidden.
  await page.getByLabel('Search servers').fill('n-77')
  await expect.poll(() => boxes.count()).toBe(1)
  await sees(page.getByText('1 selected'))
})

test('explains an unavailable or empty account', async () => {
  const { workspace, admin } = await makeTeam(db)
  await makeCloudToken(stage.slipway.ctx, workspace, hetzner.addToken({ account: 'empty' }), {
    name: 'Empty',
  })
  await makeCloudToken(stage.slipway.ctx, workspace, 'revoked', { name: 'Revoked' })
  const page = stage.page({ token: admin.token })
  await page.goto(page0)
  await page.getByRole('radio', { name: 'Empty' }).check()
  await sees(page.getByText('This account has no servers'))
  hetzner.down()
  onTestFinished(() => hetzner.up())
  await button(page, 'Refresh').last().click()
  // Without the stream there is no automatic retry.
  page.lose(/stream-tickets/)
  await page.reload()
  await sees(page.getByText('Could not list servers at Hetzner'))
  hetzner.up()
  await button(page, 'Try again').click()
  await sees(page.getByText('This account has no servers'))
  await page.getByRole('radio', { name: 'Revoked' }).check()
  await sees(page.getByText('Could not list servers at Hetzner'))
})

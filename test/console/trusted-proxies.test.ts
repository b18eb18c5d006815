import { expect, test } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'
import { button, field, sees, toast } from '../support/console/see.ts'

const stage = await openConsole()
const { db } = stage.slipway
const { workspace, admin } = await makeTeam(db)
const server = await makeShownServer(db, workspace)

test('saves the proxies that a server trusts, and explains what is wrong with an entry', async () => {
  const page = stage.page({ token: admin.token })
  await page.goto(`/dashboard/servers/${server}/settings`)
  const card = page.locator('form').filter({ has: page.getByRole('heading', { name: 'Trusted proxies' }) })
  const ranges = field(page, 'Addresses and ranges (optional)')
  await ranges.fill('10.0.0.0/8, 0.0.0.0/0')
  await button(page, 'Save').click()
  await sees(card.getByText('Must not trust a range as large as “0.0.0.0/0”. Use /8 or a smaller one.'))
  await ranges.fill('10.0.0.0/8')
  await button(card, 'Add Cloudflare').click()
  await expect.poll(() => ranges.inputValue()).toBe('10.0.0.0/8\ncloudflare')
  await button(page, 'Save').click()
  await sees(toast(page, 'Changes saved'))
  const row = await db
    .selectFrom('servers')
    .select('trusted_proxies')
    .where('id', '=', server)
    .executeTakeFirst()
  expect(row?.trusted_proxies).toEqual(['10.0.0.0/8', 'cloudflare'])
})

import { expect, test } from 'vitest'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'
import { button, field, isAt, misses, sees } from '../support/console/see.ts'
import { makeTeam } from '../support/factories/factories.ts'

const stage = await openConsole()
const { db } = stage.slipway
const { workspace, member } = await makeTeam(db)
await makeShownServer(db, workspace)

test('finds a template by name and category, and asks for its inputs', async () => {
  const page = stage.page({ token: member.token })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Templates', exact: true }).click()
  await sees(page.getByRole('link', { name: 'Uptime Kuma' }))
  await page.getByLabel('Search templates').fill('plaus')
  await misses(page.getByRole('link', { name: 'Uptime Kuma' }))
  await page.getByRole('link', { name: 'Plausible' }).click()
  await isAt(page, '/dashboard/templates/tpl_plausible')
  await sees(page.getByText('at least 2 GiB of memory', { exact: false }))
  await field(page, 'Name').fill('')
  await button(page, 'Deploy').click()
  await sees(page.getByText('Fill in this field.'))
  await expect.poll(() => field(page, 'Name').isFocused()).toBe(true)
  await page.goto('/dashboard/templates?category=databases')
  await sees(page.getByRole('link', { name: 'PostgreSQL' }))
  await misses(page.getByRole('link', { name: 'Plausible' }))
})

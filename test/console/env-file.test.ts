import { expect, test } from 'vitest'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { button, field, isAt, sees } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'
import { makeVariables } from '../worlds/world-settings.ts'

// No worker runs, so that everything stays as the tests leave it.
const stage = await openConsole()
const { db, ctx } = stage.slipway
const { workspace, member } = await makeTeam(db)
const { token } = member
const server = await makeShownServer(db, workspace)

test('takes variables that are pasted into the name of a new one', async () => {
  const id = await makeApplication(db, workspace, server, { name: 'shop' })
  await makeVariables(ctx, { workspace_id: workspace, application_id: id }, { MODE: 'production' })
  const path = `/dashboard/applications/${id}/environment`
  const page = stage.page({ token })
  await page.goto(path)
  await button(page, 'Add variable').click()
  await field(page, 'Name').focus()
  await page.keyboard.paste('PLAIN_NAME')
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('PLAIN_NAME')
  await page.keyboard.paste(`export TOKEN="it's $1" # new`)
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('TOKEN')
  expect(await field(page, 'Value').inputValue()).toBe("it's $1")

  await field(page, 'Name').focus()
  await page.keyboard.paste('# a file\n\nMODE=staging\nKEY="a\nb"\n')
  await sees(button(page, 'Save 2 changes'))
  const changes = page.getByRole('region', { name: 'Changes' }).getByRole('listitem')
  await expect.poll(() => changes.allTextContents()).toEqual(['ChangedMODE', 'AddedKEY'])
  await button(page, 'Save 2 changes').click()
  await isAt(page, path)
  await page.getByRole('row').filter({ hasText: 'KEY' }).waitFor()
  await button(page, 'Show values').click()
  await sees(page.getByRole('row').filter({ hasText: 'KEY' }).getByText('a\nb'))
  await sees(page.getByRole('row').filter({ hasText: 'MODE' }).getByText('staging'))
})

test('shows in the wizard what a pasted file adds, and refuses one with an open quote', async () => {
  const page = stage.page({ token })
  await page.goto('/dashboard/applications/create')
  await page.getByRole('radio', { name: 'Compose file' }).check()
  const env = page.getByLabel(/^Environment variables/)
  await env.fill('# a file\nexport TAG="1.27"\nKEY=\'a\nb\nTAG=2')
  await sees(page.getByText('Line 3: The closing quote is missing.'))
  await button(page, 'Continue').click()
  await sees(page.getByText('Line 3: The closing quote is missing.').nth(1))
  await env.fill('# a file\nexport TAG="1.27"\nKEY=\'a\nb\'\n')
  const changes = page.getByRole('region', { name: 'Changes' }).getByRole('listitem')
  await expect.poll(() => changes.allTextContents()).toEqual(['AddedTAG', 'AddedKEY'])
})

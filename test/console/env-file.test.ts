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

test('fills the rows of a new application from a pasted file, and keeps one with an open quote as text', async () => {
  const page = stage.page({ token })
  await page.goto('/dashboard/applications/create')
  await page.locator('summary', { hasText: 'Environment variables' }).click()
  const name = (at: number) => field(page, `Name of variable ${at}`)
  await name(1).focus()
  await page.keyboard.paste('export MODE=staging # for now')
  await expect.poll(() => field(page, 'Value of MODE').inputValue()).toBe('staging')
  await button(page, 'Add variable').click()
  await expect.poll(() => name(2).isFocused()).toBe(true)
  await page.keyboard.paste('# a file\nTAG="1.27"\nMODE=production\nKEY="a\nb"\n')
  await expect.poll(() => field(page, 'Value of KEY').inputValue()).toBe('a\nb')
  expect(await field(page, 'Value of MODE').inputValue()).toBe('production')
  expect([await name(1).inputValue(), await name(2).inputValue()]).toEqual(['MODE', 'TAG'])
  await sees(page.locator('summary').filter({ hasText: '3 variables' }))
  await button(page, 'Remove TAG').click()

  await name(2).focus()
  await page.keyboard.paste("A=1\nB='open")
  await sees(page.getByText('Line 4: The closing quote is missing.'))
  expect(await field(page, 'Variables').inputValue()).toBe(`MODE=production\nKEY="a\\nb"\nA=1\nB='open`)
  expect(await button(page, 'Edit as rows').isDisabled()).toBe(true)
  await button(page, 'Deploy').click()
  await expect.poll(() => field(page, 'Image').isFocused()).toBe(true)
  await sees(page.getByText('Line 4: The closing quote is missing.').nth(1))
  await field(page, 'Variables').fill('A=1\n# gone\n\nB=$A')
  await button(page, 'Edit as rows').click()
  expect(await field(page, 'Value of B').inputValue()).toBe('1')
})

import { expect, test } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { button, heading, isAt, misses, sees } from '../support/console/see.ts'
import { openConsole } from '../support/console/open-console.ts'

// No Stripe keys are configured.
const stage = await openConsole()

test('shows nothing about billing and redirects its pages', async () => {
  const { owner } = await makeTeam(stage.slipway.db)
  const page = stage.page({ token: owner.token })
  for (const path of ['', '/choose-plan', '/success', '/success?session_id=cs_test_1']) {
    await page.goto(`/dashboard/billing${path}`)
    await isAt(page, '/dashboard')
    await sees(heading(page, `Welcome back, ${owner.name}`))
  }
  await sees(page.getByRole('button', { name: /^Workspace .* Pro Plan$/ }))
  await page.getByRole('button', { name: /^Account / }).click()
  await misses(page.getByRole('menuitem', { name: 'Upgrade to Pro' }))
  await page.keyboard.press('Escape')

  await page.follow('/dashboard/workspace')
  await page.getByRole('button', { name: /^Role permissions/ }).click()
  await sees(page.getByRole('rowheader', { name: /^Invite/ }).first())
  await expect.poll(() => page.getByText(/invoice/).count()).toBe(0)

  await page.follow('/dashboard/workspace/settings')
  await sees(page.getByRole('list', { name: 'Workspace' }).getByRole('link', { name: 'General' }))
  await expect.poll(() => page.getByRole('link', { name: 'Billing' }).count()).toBe(0)
  await button(page, 'Delete workspace').click()
  const question = page.getByRole('alertdialog')
  await sees(question)
  await expect.poll(() => question.getByText(/subscription/).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await sees(page.getByRole('option', { name: 'Integrations' }))
  await expect.poll(() => page.getByRole('option', { name: 'Billing' }).count()).toBe(0)
})

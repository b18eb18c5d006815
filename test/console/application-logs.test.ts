import { expect, test } from 'vitest'
import { makeApplication, makeSavedLog } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { button, field, isAt, sees, toast } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'

const stage = await openConsole()
const { ctx, db } = stage.slipway
const { workspace, member } = await makeTeam(db)
const server = await makeShownServer(db, workspace)

test('shows and searches saved logs by release', async () => {
  const id = await makeApplication(db, workspace, server, { name: 'shop' })
  const crashed = await makeSavedLog(ctx, workspace, id, ['Listening', 'error job=7'], {
    release: 2,
    restarts: 4,
    container_id: 'c'.repeat(64),
    container_name: 'shop-2-1-abcd',
  })
  await makeSavedLog(ctx, workspace, id, ['Bye'], { release: 1, exit_code: 0 })
  const page = stage.page({ token: member.token })
  const path = `/dashboard/applications/${id}/logs`
  await page.goto(path)
  await page.getByRole('combobox', { name: 'Release' }).click()
  await page.getByRole('option', { name: 'Release 2 (saved)' }).click()
  await isAt(page, `${path}?release=2`)
  await sees(page.getByText(/^shop-2-1-abcd: restarted 4 times, exit code 1, until /))
  await sees(page.getByRole('log', { name: 'Log of shop-2-1-abcd' }))

  await button(page, 'Search saved logs').click()
  await field(page, 'Search in the output of removed containers').fill('JOB')
  await sees(page.getByText('1 matching line', { exact: true }))
  const match = page.getByRole('dialog').getByRole('link', { name: /error job=7/ })
  await expect.poll(() => match.getAttribute('href')).toContain(`release=2&log=${crashed}&since=`)
  await field(page, 'Search in the output of removed containers').fill('nothing')
  await sees(page.getByText('No matching lines'))

  // An incident links to the container, which is gone.
  await page.goto(`${path}?container=${'c'.repeat(64)}`)
  await sees(page.getByText(/^shop-2-1-abcd: restarted 4 times/))
})

test('changes how long logs are saved', async () => {
  const id = await makeApplication(db, workspace, server, { name: 'shop' })
  const page = stage.page({ token: member.token })
  await page.goto(`/dashboard/applications/${id}/settings`)
  const form = page
    .locator('form')
    .filter({ has: page.getByRole('heading', { name: 'Saved logs', exact: true }) })
  await form.getByLabel('Days').fill('100')
  await button(page, 'Save').click()
  await sees(form.getByText('Must be at most 90.'))
  await form.getByLabel('Days').fill('30')
  await button(page, 'Save').click()
  await sees(toast(page, 'Changes saved'))
  const row = await db.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([row.log_days, row.log_megabytes]).toEqual([30, 50])
})

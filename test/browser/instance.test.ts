import { expect, test } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { faults } from '../support/browser/faults.ts'
import { button, field, isAt, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const stage = await openStage({ ROLE: 'web', SIGNUP: '', MAIL_FROM: 'Slipway <ops@example.com>' })
const { db } = stage.database
const { owner, viewer } = await makeTeam(db)
await db.updateTable('users').set({ instance_owner: true }).where('id', '=', owner.id).execute()

test('lets an instance owner change settings, lock an account and read the audit log', async () => {
  const page = await stage.page({ token: owner.token })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Account / }).click()
  await page.getByRole('menuitem', { name: 'Instance' }).click()
  await isAt(page, '/dashboard/instance')
  const sections = page.getByRole('list', { name: 'Instance' })
  await sections.getByRole('link', { name: 'General' }).click()

  await page.getByRole('radio', { name: 'Open' }).click()
  await sees(toast(page, 'Signup settings saved'))
  await sees(page.getByText('Set by the environment variable MAIL_FROM.', { exact: false }))
  await expect.poll(() => field(page, 'From').isDisabled()).toBe(true)
  await field(page, 'Ranges').fill('10.0.0.0/8\nnonsense')
  await button(page, 'Save').click()
  await sees(page.getByText('Must be an IP address or a range such as 10.0.0.0/8.').first())

  await sections.getByRole('link', { name: 'Users' }).click()
  await button(page.getByRole('alertdialog', { name: 'Discard 1 unsaved change?' }), 'Discard').click()
  await button(page, `Actions for ${viewer.name}`).click()
  await page.getByRole('menuitem', { name: 'Lock account' }).click()
  await button(page, 'Lock account').click()
  await sees(toast(page, `Account of ${viewer.name} locked`))
  await sees(page.getByText('Locked', { exact: true }))
  const answer = await fetch(`${stage.url}/v1/user`, { headers: { authorization: `Bearer ${viewer.token}` } })
  expect(answer.status).toBe(401)

  await sections.getByRole('link', { name: 'Audit log' }).click()
  await sees(page.getByText('locked the account'))
})

test('has accessible instance tabs that fit every width', async () => {
  const page = await stage.page({ token: owner.token })
  const path = '/dashboard/instance'
  const shows = (words: string) => (on: typeof page) => sees(on.getByText(words, { exact: true }).first())
  expect(
    await faults(page, path, [
      { name: 'overview', path, shows: shows('Overview') },
      { name: 'people', path: `${path}/people`, shows: shows('Instance owner') },
      { name: 'workspaces', path: `${path}/workspaces`, shows: shows('Active') },
      { name: 'host names', path: `${path}/host-names`, shows: shows('No host names yet') },
      { name: 'settings', path: `${path}/settings`, shows: shows('Outgoing email') },
    ]),
  ).toEqual([])
})

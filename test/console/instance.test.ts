import { test } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { misses, sees } from '../support/console/see.ts'
import { openConsole } from '../support/console/open-console.ts'

const stage = await openConsole({ SIGNUP: '', MAIL_FROM: 'Slipway <ops@example.com>' })
const { db } = stage.slipway
const { owner } = await makeTeam(db)
await db.updateTable('users').set({ instance_owner: true }).where('id', '=', owner.id).execute()

test('hides the instance page from other users', async () => {
  const { owner: other } = await makeTeam(db)
  const page = stage.page({ token: other.token })
  await page.goto('/dashboard/instance/people')
  await sees(page.getByText('Only instance owners can open this page'))
  await page.getByRole('button', { name: /^Account / }).click()
  await misses(page.getByRole('menuitem', { name: 'Instance' }))
})

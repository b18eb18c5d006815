import { afterAll, test } from 'vitest'
import { openConsole } from '../support/console/open-console.ts'
import { isAt, sees, toast } from '../support/console/see.ts'
import { makeInstanceOwner, makeTeam } from '../support/factories/factories.ts'
import { startFakeGitHub } from '../support/fakes/github.ts'

const github = await startFakeGitHub('http://slipway.test/login/success')
afterAll(() => github.close())
const stage = await openConsole(github.appEnv)
const { owner } = await makeTeam(stage.slipway.db)
await makeInstanceOwner(stage.slipway.db, owner)

const integrations = '/dashboard/integrations'

test('explains a return from GitHub without data, and connects nothing', async () => {
  const page = stage.page({ token: owner.token })
  await page.goto(`${integrations}/github/callback?setup_action=request`)
  await sees(
    toast(page, 'An owner of the organization must approve the GitHub App. Connect again after approval.'),
  )
  await page.goto(`${integrations}/github/callback?error=access_denied`)
  await sees(toast(page, 'Could not connect GitHub: access was denied.'))
  await page.goto(`${integrations}/github/callback?installation_id=7`)
  await sees(page.getByRole('region', { name: 'Notifications' }).getByText(/Connect/))
  await isAt(page, integrations)
})

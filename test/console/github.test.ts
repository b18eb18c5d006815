import { afterAll, expect, test } from 'vitest'
import { openConsole } from '../support/console/open-console.ts'
import { field, isAt, sees, toast } from '../support/console/see.ts'
import { makeApplication, makeSource } from '../support/factories/application-factories.ts'
import {
  makeInstanceOwner,
  makeIntegration,
  makeServer,
  makeTeam,
  nowhere,
} from '../support/factories/factories.ts'
import { startFakeGitHub } from '../support/fakes/github.ts'

const github = await startFakeGitHub('http://slipway.test/login/success')
afterAll(() => github.close())
const stage = await openConsole(github.appEnv)
const { owner, workspace } = await makeTeam(stage.slipway.db)
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

test('suggests the branches of an existing application, and only logs that they cannot be loaded', async () => {
  const { ctx, db } = stage.slipway
  github.addAccount('octocat')
  const shop = await github.addRepository('octocat/storefront', { Dockerfile: 'FROM scratch\n' })
  await github.commit(shop.fullName, { branch: 'next', message: 'Try it' })
  const server = await makeServer(ctx, workspace, nowhere())
  const integration_id = await makeIntegration(db, workspace, github.installApp('octocat'))
  const open = async (failure?: string) => {
    const id = await makeApplication(db, workspace, server)
    await makeSource(db, workspace, id, { integration_id, repository_id: shop.id, repository: shop.fullName })
    const branches = `/v1/github/branches/${id}`
    const page = stage.page({ token: owner.token })
    if (failure) page.intercept(new RegExp(branches), 502, JSON.stringify({ error: failure }))
    await page.goto(`/dashboard/applications/${id}/settings`)
    await field(page, 'Branch').fill('ne')
    await expect.poll(() => page.calls.map(({ path }) => path)).toContain(branches)
    return page
  }
  await sees((await open()).getByRole('option', { name: 'next' }))

  stage.expectError(/Could not load branches/)
  const page = await open('GitHub is away.')
  await stage.untilLogged()
  await expect.poll(() => page.getByText('GitHub is away.').count()).toBe(0)
  expect(await field(page, 'Branch').inputValue()).toBe('ne')
})

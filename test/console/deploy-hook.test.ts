import { expect, test } from 'vitest'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'
import { button, sees } from '../support/console/see.ts'

const stage = await openConsole()
const { db } = stage.slipway
const { workspace, member } = await makeTeam(db)
const application = await makeApplication(db, workspace, await makeShownServer(db, workspace), {
  name: 'shop',
})

test('shows how each service calls the deploy hook, to copy', async () => {
  const page = stage.page({ token: member.token })
  await page.goto(`/dashboard/applications/${application}/settings`)
  await button(page, 'Show').click()
  const command = page.getByText(/^curl -X POST/)
  await sees(command)
  const [, secret = '', url = ''] = /secret: (\S+)' (\S+)/.exec((await command.textContent()) ?? '') ?? []
  const pick = async (name: string) => {
    await page.getByRole('combobox', { name: 'Called by' }).click()
    await page.getByRole('option', { name }).click()
  }
  await pick('GitLab')
  await button(page, 'Copy secret token').click()
  expect(await page.copied()).toBe(secret)
  await button(page, 'Copy URL').click()
  expect(await page.copied()).toBe(url)
  await pick('Docker Hub')
  await button(page, 'Copy webhook URL').click()
  const withSecret = await page.copied()
  expect(withSecret).toMatch(new RegExp(`^${url}/[0-9a-f]{64}$`))
  expect(withSecret).not.toContain(secret)
  for (const name of ['GitHub', 'Gitea, Forgejo or Gogs', 'Bitbucket']) {
    await pick(name)
    await sees(page.getByText(secret, { exact: true }))
  }
})

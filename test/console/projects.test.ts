import { expect, test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { makeProject } from '../support/factories/project-factories.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { button, sees, toast } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'

// No worker runs, so that servers stay as shown.
const stage = await openConsole()
const { db } = stage.slipway
const { workspace, member } = await makeTeam(db)
const { token } = member
const web = await makeShownServer(db, workspace)
await makeShownServer(db, workspace, { name: 'lost', status: 'unreachable', reason: 'It does not answer.' })
for (const name of ['shop-api', 'wiki']) await makeApplication(db, workspace, web, { name })

const putInto = (project_id: Id<'project'>, id: Id<'application'>) =>
  db.updateTable('applications').set({ project_id }).where('id', '=', id).execute()
const link = (page: ConsolePage, name: string) => page.getByRole('link', { name, exact: true })

test('creates an application in the project it was started from', async () => {
  const id = await makeProject(stage.slipway.ctx, workspace, 'Docks')
  const page = stage.page({ token })
  await page.goto(`/dashboard/projects/${id}`)
  await link(page, 'New application').click()
  await page.getByLabel('Image', { exact: true }).fill('nginx:1.27')
  await sees(page.getByRole('combobox', { name: 'Server' }).getByText('web-1'))
  await sees(page.getByRole('combobox', { name: /^Project/ }).getByText('Docks'))
  await button(page, 'Deploy').click()
  await expect
    .poll(async () => {
      const made = db.selectFrom('applications').select('project_id').where('image', '=', 'nginx:1.27')
      return (await made.executeTakeFirst())?.project_id
    })
    .toBe(id)
})

test('turns on the project network and shows the host name of an application', async () => {
  const id = await makeProject(stage.slipway.ctx, workspace, 'Linked')
  const application = await makeApplication(db, workspace, web, { name: 'till', slug: 'till' })
  await putInto(id, application)
  const page = stage.page({ token })
  await page.goto(`/dashboard/applications/${application}/networking`)
  await sees(page.getByText('Off in Linked'))
  await page.goto(`/dashboard/projects/${id}/settings`)
  await page.getByRole('switch', { name: 'Project network' }).click()
  await sees(toast(page, 'Project network turned on'))
  await page.goto(`/dashboard/applications/${application}/networking`)
  await sees(page.getByText('The application joins the network on the next deployment.'))
  await sees(page.getByRole('button', { name: 'Copy till' }))
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { changeApplication } from '../../server/areas/applications/application.ts'
import { makeApplication, makeDeployment, makeRelease } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { button, sees } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'

const stage = await openConsole()
const { ctx, db } = stage.slipway
const { workspace, member } = await makeTeam(db)
const server = await makeShownServer(db, workspace)

test('asks before a deployment repeats a crashed release', async () => {
  const id = await makeApplication(db, workspace, server, { name: 'shop', image: 'rig/busybox:latest' })
  const previous = await makeRelease(ctx, workspace, id, 1)
  await sql`update releases set config = jsonb_set(config, '{replicas}', '3') where id = ${previous}`.execute(
    db,
  )
  const crashed = await makeRelease(ctx, workspace, id, 2)
  const deployment = await makeDeployment(
    db,
    workspace,
    { id, server },
    {
      release_id: crashed,
      status: 'completed',
      died_at: new Date(),
    },
  )
  await db.updateTable('releases').set({ deployment_id: deployment }).where('id', '=', crashed).execute()
  await changeApplication(db, workspace, id, { release_id: previous })

  const page = stage.page({ token: member.token })
  await page.goto(`/dashboard/applications/${id}`)
  await sees(
    page.getByText('The current configuration is that of release 2, which crashed.', { exact: false }),
  )
  await button(page, 'Deploy').click()
  const dialog = page.getByRole('alertdialog')
  await sees(
    dialog.getByText('Release 2 (rig/busybox:latest) crashed, and you rolled back to release 1.', {
      exact: false,
    }),
  )
  const deployments = () =>
    db.selectFrom('deployments').select('id').where('application_id', '=', id).execute()
  await button(dialog, 'Cancel').click()
  expect(await deployments()).toHaveLength(1)
  await page.goto(`/dashboard/applications/${id}/deployments?deploymentId=${deployment}`)
  await sees(page.getByRole('dialog').getByText('Crashed', { exact: true }))
})

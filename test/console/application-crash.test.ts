import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { changeApplication, findApplication } from '../../server/areas/applications/application.ts'
import { makeApplication, makeDeployment, makeRelease } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { button, misses, sees, toast } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'

const stage = await openConsole()
const { ctx, db } = stage.slipway
const { workspace, member, viewer } = await makeTeam(db)
const server = await makeShownServer(db, workspace)

/** Release 2 crashed and was rolled back to release 1, which has three replicas. */
async function makeCrashed() {
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
      crashed_at: new Date(),
    },
  )
  await db.updateTable('releases').set({ deployment_id: deployment }).where('id', '=', crashed).execute()
  await changeApplication(db, workspace, id, { release_id: previous })
  return { id, deployment }
}

test('asks before a deployment repeats a crashed release', async () => {
  const { id, deployment } = await makeCrashed()
  const page = stage.page({ token: member.token })
  await page.goto(`/dashboard/applications/${id}`)
  await sees(page.getByText('The current configuration is from release 2, which crashed.', { exact: false }))
  await button(page, 'Deploy').click()
  const dialog = page.getByRole('alertdialog')
  await sees(
    dialog.getByText(
      'Release 2 (rig/busybox:latest) crashed, and the application was rolled back to release 1.',
      {
        exact: false,
      },
    ),
  )
  const deployments = () =>
    db.selectFrom('deployments').select('id').where('application_id', '=', id).execute()
  await button(dialog, 'Cancel').click()
  expect(await deployments()).toHaveLength(1)
  for (const link of ['deploy', 'changes']) {
    await page.goto(`/dashboard/applications/${id}?dialog=${link}`)
    const review = page.getByRole('dialog')
    await sees(button(review, 'Deploy'))
    await sees(review.getByRole('region', { name: 'Release 2 crashed' }))
  }
  await page.goto(`/dashboard/applications/${id}/deployments?deploymentId=${deployment}`)
  await sees(page.getByRole('dialog').getByText('Crashed', { exact: true }))
})

test('offers to reset the configuration to the live release instead', async () => {
  const { id } = await makeCrashed()
  const page = stage.page({ token: member.token })
  await page.goto(`/dashboard/applications/${id}`)
  await button(page, 'Deploy').click()
  await button(page.getByRole('alertdialog'), 'Reset configuration…').click()
  const dialog = page.getByRole('dialog', { name: 'Reset the configuration of shop?' })
  const changes = dialog.getByRole('list', { name: 'Changes' })
  await sees(changes.getByText('Replicas'))
  // Somebody else is quicker.
  await changeApplication(db, workspace, id, { drain_seconds: 5 })
  await button(dialog, 'Reset configuration').click()
  await sees(
    toast(
      page,
      'The configuration or the live release of shop has changed since your review. Review the changes again.',
    ),
  )
  await sees(changes.getByText('Drain timeout'))
  await button(dialog, 'Reset configuration').click()
  await sees(toast(page, 'Configuration reset'))
  await misses(dialog)
  await misses(page.getByText('Rolled back to release 1'))
  expect(await findApplication(db, workspace, id)).toMatchObject({ replicas: 3, drain_seconds: 30 })
})

test('offers the reset beside the changes to those who may change the application', async () => {
  const { id } = await makeCrashed()
  const page = stage.page({ token: member.token })
  await page.goto(`/dashboard/applications/${id}`)
  await button(page, 'Reset configuration…').click()
  await button(page.getByRole('dialog', { name: 'Reset the configuration of shop?' }), 'Cancel').click()
  const watching = stage.page({ token: viewer.token })
  await watching.goto(`/dashboard/applications/${id}?dialog=reset-configuration`)
  await sees(button(watching, 'View changes'))
  await misses(button(watching, 'Reset configuration…'))
  await misses(watching.getByRole('dialog'))
})

test('hides a dismissed notice until the next deployment', async () => {
  const { id } = await makeCrashed()
  const page = stage.page({ token: member.token })
  const rolledBack = page.getByRole('region', { name: 'Rolled back to release 1' })
  await page.goto(`/dashboard/applications/${id}`)
  await button(rolledBack, 'Dismiss').click()
  await misses(rolledBack)
  await page.goto(`/dashboard/applications/${id}/logs`)
  await sees(page.getByRole('region', { name: 'Status of shop is unknown' }))
  await misses(rolledBack)
  await makeDeployment(db, workspace, { id, server }, { status: 'failed' })
  await page.goto(`/dashboard/applications/${id}`)
  await sees(rolledBack)
})

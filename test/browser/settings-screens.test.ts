import { expect, test } from 'vitest'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { faults } from '../support/browser/faults.ts'
import { settingsScreens } from '../support/browser/screens-settings.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeSettings } from '../support/browser/world-settings.ts'

// Nobody deploys or asks for certificates: everything stays in the state that it is shown in.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database

test('of what one sets of an application axe finds nothing wrong and no screen is too wide', async () => {
  const { workspace, admin } = await makeTeam(db)
  const server = await makeShownServer(db, workspace)
  const id = await makeApplication(db, workspace, server)
  await makeSettings(stage.ctx, workspace, id)
  const page = await stage.page({ token: admin.token })
  const path = `/dashboard/applications/${id}`
  expect(await faults(page, path, settingsScreens(path))).toEqual([])
}, 240_000)

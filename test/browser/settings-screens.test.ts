import { expect, test } from 'vitest'
import { makeApplication } from '../application-factories.ts'
import { makeTeam } from '../factories.ts'
import { faults } from './faults.ts'
import { settingsScreens } from './screens-settings.ts'
import { makeShownServer } from './shown-server.ts'
import { openStage } from './stage.ts'
import { makeSettings } from './world-settings.ts'

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

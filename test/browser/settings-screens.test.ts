import { expect, test } from 'vitest'
import { newId } from '../../server/platform/ids.ts'
import { makeApplication } from '../application-factories.ts'
import { makeTeam } from '../factories.ts'
import { faults } from './faults.ts'
import { settingsScreens } from './screens-settings.ts'
import { openStage } from './stage.ts'
import { makeSettings } from './world-settings.ts'

// Nobody deploys or asks for certificates: everything stays in the state that it is shown in.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database

test('of what one sets of an application axe finds nothing wrong and no screen is too wide', async () => {
  const { workspace, admin } = await makeTeam(db)
  const server = newId('server')
  const row = { id: server, workspace_id: workspace, name: 'web-1', address: '203.0.113.10' }
  await db
    .insertInto('servers')
    .values({ ...row, status: 'ready' })
    .execute()
  const id = await makeApplication(db, workspace, server)
  await makeSettings(stage.ctx, workspace, id)
  const page = await stage.page({ token: admin.token })
  const path = `/dashboard/applications/${id}`
  expect(await faults(page, path, settingsScreens(path))).toEqual([])
}, 240_000)

import { expect, test } from 'vitest'
import { newId } from '../../server/platform/ids.ts'
import { makeTeam } from '../factories.ts'
import { faults } from './faults.ts'
import { applicationScreens } from './screens-application.ts'
import { sees } from './see.ts'
import { openStage } from './stage.ts'
import { makeDead, makeDeployed } from './world-applications.ts'
import { ago, day } from './world-times.ts'

// Nobody deploys anything: everything stays as it is shown.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database
const { workspace, member, viewer } = await makeTeam(db)

const live = { status: 'ready', containers_live: true, watched_until: ago(-day) } as const
const unreachable = { status: 'unreachable', reason: 'Could not reach web-2: no answer.' } as const

async function makePlace(name: string, given: typeof live | typeof unreachable) {
  const server = newId('server')
  const row = { id: server, workspace_id: workspace, name, address: '203.0.113.10', ...given }
  await db.insertInto('servers').values(row).execute()
  return { workspace, server }
}

const near = await makePlace('web-1', live)
const deployed = await makeDeployed(stage.ctx, near)
const dead = await makeDead(stage.ctx, near)
const away = await makeDeployed(stage.ctx, await makePlace('web-2', unreachable), 'far')

test('axe finds nothing wrong with an application, and it fits every screen', async () => {
  const page = await stage.page({ token: member.token })
  // Of a server out of reach there are no containers to tell.
  stage.expectError(/502/)
  const screens = applicationScreens(deployed, { dead: dead.path, away: away.path })
  expect(await faults(page, '/dashboard', screens)).toEqual([])
}, 240_000)

test('a viewer sees how it is, and nothing to press', async () => {
  const page = await stage.page({ token: viewer.token })
  await page.goto(dead.path)
  await sees(page.getByRole('region', { name: 'Changed since the last deployment' }))
  await sees(page.getByText('out of memory (limit 64 MiB)').first())
  const names = await page.getByRole('main').getByRole('button').allTextContents()
  expect(names.filter((name) => name !== '')).toEqual(['Show the difference'])
  await page.goto(`${deployed.path}?dialog=delete`)
  await sees(page.getByRole('table', { name: 'Containers' }))
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  await page.goto(`${deployed.path}/settings`)
  await sees(page.getByText('Your role does not show this'))
})

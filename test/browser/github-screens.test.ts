import { afterAll, expect, test } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { type FakeGitHub, startFakeGitHub } from '../support/fakes/github.ts'
import { faults } from '../support/browser/faults.ts'
import { githubScreens, unconnectedScreens } from '../support/browser/screens-github.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeConnected } from '../support/browser/world-github.ts'

let started: FakeGitHub | undefined
// Nobody builds anything: everything stays as it is shown.
const stage = await openStage(async (url) => {
  started = await startFakeGitHub(`${url}/login/success`)
  return { ...started.appEnv, ROLE: 'web' }
})
if (!started) throw new Error('There is no GitHub.')
const github = started
afterAll(() => github.close())
const { db } = stage.database

test('of accounts, builds and deliveries axe finds nothing wrong, and they fit every screen', async () => {
  const { workspace, admin } = await makeTeam(db)
  const server = await makeShownServer(db, workspace)
  const page = await stage.page({ token: admin.token })
  const before = await faults(page, '/dashboard', unconnectedScreens)
  const screens = githubScreens(await makeConnected(stage, github, { workspace, server }))
  // Of a server out of reach there are no containers to tell.
  stage.expectError(/502/)
  expect([...before, ...(await faults(page, '/dashboard', screens))]).toEqual([])
}, 240_000)

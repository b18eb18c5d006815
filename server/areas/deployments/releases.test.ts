import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getApplication, updateApplication } from '../../../contract/applications.ts'
import { createVariable, deleteVariable, replaceLabels } from '../../../contract/application-entries.ts'
import { rollBackApplication } from '../../../contract/deployments.ts'
import { listChanges, listReleases } from '../../../contract/releases.ts'
import { deleteWorkspace } from '../../../contract/workspaces.ts'
import { deleteServer } from '../../../contract/servers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApplication,
  makeDeployment,
  makeRelease,
} from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { changeApplication } from '../applications/application.ts'

let slipway: TestSlipway
let team: Awaited<ReturnType<typeof makeTeam>>
let server: Id<'server'>
let id: Id<'application'>

beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

beforeEach(async () => {
  team = await makeTeam(slipway.db)
  const nowhere = {
    address: '192.0.2.1',
    port: 22,
    user: 'root',
    hostKey: 'ssh-ed25519 AAAA',
    keys: newKeyPair('a'),
  }
  server = await makeServer(slipway.ctx, team.workspace, nowhere, { status: 'unreachable', name: 'web-1' })
  id = await makeApplication(slipway.db, team.workspace, server, { name: 'shop' })
})

const asked = () => ({ token: team.member.token, params: { id } })
const changes = async (release_id?: string) =>
  (await slipway.ok(listChanges, { ...asked(), query: release_id ? { release_id } : {} })).changes
const changed = async () => (await slipway.ok(getApplication, asked())).application.changed
const release = (number: number, given: Parameters<typeof makeRelease>[4] = {}) =>
  makeRelease(slipway.ctx, team.workspace, id, number, given)

test('reports undeployed changes until they are reverted', async () => {
  expect([await changed(), await changes()]).toEqual([false, []])
  await release(1)
  expect([await changed(), await changes()]).toEqual([false, []])

  const { env } = await slipway.ok(createVariable, { ...asked(), body: { key: 'TOKEN', value: 'hunter2' } })
  expect(await changed()).toBe(true)
  expect(await changes()).toEqual([{ field: 'env.TOKEN', kind: 'added', from: null, to: null }])
  await slipway.ok(deleteVariable, { ...asked(), params: { id, env_id: env.id } })
  expect(await changed()).toBe(false)

  await slipway.ok(replaceLabels, { ...asked(), body: { labels: 'team=blue' } })
  await slipway.ok(updateApplication, { ...asked(), body: { replicas: 2 } })
  expect(await changed()).toBe(true)
  expect((await changes()).map(({ field }) => field)).toEqual(['replicas', 'labels.team'])
  await slipway.ok(replaceLabels, { ...asked(), body: { labels: [] } })
  await slipway.ok(updateApplication, { ...asked(), body: { replicas: 1 } })
  expect(await changed()).toBe(false)
})

test('compares with any release of the application', async () => {
  const first = await release(1)
  const config = await slipway.db
    .selectFrom('releases')
    .select('config')
    .where('id', '=', first)
    .executeTakeFirstOrThrow()
  await release(2, { config: JSON.stringify({ ...config.config, replicas: 4 }) })
  expect(await changes(first)).toEqual([])
  expect(await changes()).toEqual([{ field: 'replicas', kind: 'changed', from: '4', to: '1' }])
  const against = async (to_release_id: string) =>
    (await slipway.ok(listChanges, { ...asked(), query: { to_release_id } })).changes
  expect(await against(first)).toEqual([{ field: 'replicas', kind: 'changed', from: '4', to: '1' }])
  // The same image name now refers to another image ID.
  const built = await release(3, { image_id: `sha256:${'1'.repeat(64)}` })
  expect(await against(first)).toEqual([
    {
      field: 'image',
      kind: 'changed',
      from: 'rig/busybox:latest (111111111111)',
      to: 'rig/busybox:latest (000000000000)',
    },
  ])
  expect(await against(built)).toEqual([])
  const other = await makeApplication(slipway.db, team.workspace, server)
  const strange = await makeRelease(slipway.ctx, team.workspace, other, 1)
  await slipway.refused(listChanges, { ...asked(), query: { release_id: strange } }, 404)
  await slipway.refused(listChanges, { ...asked(), query: { to_release_id: strange } }, 404)
  await slipway.refused(rollBackApplication, { ...asked(), body: { release_id: strange } }, 404)
})

test('lists releases newest first, with the live one and its initiator', async () => {
  for (const number of [9, 10]) await release(number)
  const deployment_id = await makeDeployment(slipway.db, team.workspace, { id, server })
  await release(11, { deployment_id })
  const { releases } = await slipway.ok(listReleases, { ...asked(), query: {} })
  expect(releases.map(({ number, current }) => [number, current])).toEqual([
    [11, true],
    [10, false],
    [9, false],
  ])
  expect(releases.map(({ actor }) => actor)).toEqual([{ name: 'Ada' }, null, null])
})

test('reports a release as deploying while it is', async () => {
  const first = await release(1)
  const next = await release(2, { live_at: null })
  await changeApplication(slipway.db, team.workspace, id, { release_id: first })
  const given = { release_id: next, status: 'running', finished_at: null } as const
  const deployment = await makeDeployment(slipway.db, team.workspace, { id, server }, given)
  const deploying = async () =>
    (await slipway.ok(listReleases, { ...asked(), query: {} })).releases.map((one) => one.deploying)
  expect(await deploying()).toEqual([true, false])
  await slipway.db.updateTable('deployments').set({ status: 'failed' }).where('id', '=', deployment).execute()
  expect(await deploying()).toEqual([false, false])
})

test('reports the live release, and whether it was rolled back', async () => {
  const first = await release(1, { image: 'rig/app:1' })
  const runs = async () => (await slipway.ok(getApplication, asked())).application.release
  expect(await runs()).toEqual({ id: first, number: 1, image: 'rig/app:1', older: false, commit: null })
  const failed = await release(2, { image: 'rig/app:2', live_at: null })
  await changeApplication(slipway.db, team.workspace, id, { release_id: first, image: 'rig/app:2' })
  expect(await runs()).toMatchObject({ image: 'rig/app:1', older: false })
  await slipway.db.updateTable('releases').set({ live_at: new Date() }).where('id', '=', failed).execute()
  expect(await runs()).toMatchObject({ image: 'rig/app:1', older: true })
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('rolls back to the previous release, or to a given one', async () => {
  await release(1, { live_at: minutesAgo(10) })
  const second = await release(2, { live_at: minutesAgo(20) })
  const third = await release(3, { live_at: minutesAgo(1) })
  const back = await slipway.ok(rollBackApplication, { ...asked(), body: {} })
  // Another release may be the previous one by the time the rollback starts, so the request names none.
  expect(back.deployment).toMatchObject({ message: 'Roll back to release 1', release: null })
  const further = await slipway.ok(rollBackApplication, { ...asked(), body: { release_id: second } })
  expect(further.deployment).toMatchObject({ status: 'queued', release: { id: second } })
  const current = await slipway.refused(rollBackApplication, { ...asked(), body: { release_id: third } }, 409)
  expect(current.body).toMatchObject({ error: 'Release 3 is already live. Restart the application instead.' })
})

test('refuses rollbacks without a previous release, or to one without image or never live', async () => {
  const refused = async (release_id?: string) =>
    (await slipway.refused(rollBackApplication, { ...asked(), body: release_id ? { release_id } : {} }, 409))
      .text
  expect(await refused()).toMatch('The application shop has never been deployed')
  const gone = await release(1, { kept: false, live_at: minutesAgo(3) })
  expect(await refused(gone)).toMatch('Release 1 is already live. Restart the application instead.')
  const failed = await release(2, { live_at: null })
  await release(3)
  expect(await refused(gone)).toMatch(
    'The image of release 1 is no longer on the server, which keeps the images of the last 10 releases.',
  )
  expect(await refused(failed)).toMatch('Release 2 was never live')
})

test('refuses to delete a server or workspace that has applications', async () => {
  const owner = { token: team.owner.token }
  const kept = await slipway.refused(deleteServer, { ...owner, params: { id: server } }, 409)
  expect(kept.text).toMatch('The server web-1 has the application shop. Delete the application first')
  await release(1)
  const { name } = await slipway.db
    .selectFrom('workspaces')
    .select('name')
    .where('id', '=', team.workspace)
    .executeTakeFirstOrThrow()
  const refuse = () =>
    slipway.refused(deleteWorkspace, { ...owner, body: { name } }, 409, 'workspace_has_applications')
  expect((await refuse()).text).toMatch(`The workspace ${name} still has the application shop`)
  // An application that is being deleted still has images on the server.
  await changeApplication(slipway.db, team.workspace, id, { deleting_at: new Date() })
  await refuse()
  await slipway.db.deleteFrom('applications').where('id', '=', id).execute()
  await slipway.ok(deleteWorkspace, { ...owner, body: { name } })
})

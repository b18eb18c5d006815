import { afterAll, expect, test } from 'vitest'
import { getHome, listHomeApplications } from '../../../contract/home.ts'
import { getServer } from '../../../contract/servers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { makeApplication, makeDeployment } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { newId } from '../../platform/ids.ts'
import { insertServerSamples } from '../metrics/sample-writer.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db } = slipway
const minute = 60_000

async function makeYard() {
  const { workspace, viewer } = await makeTeam(db)
  const server = await makeServer(slipway.ctx, workspace, nowhere(), { name: 'web-1', status: 'ready' })
  return { workspace, server, token: viewer.token }
}

const sample = (workspace_id: Id<'workspace'>, server_id: Id<'server'>, age: number, disk_used: number) => ({
  workspace_id,
  server_id,
  at: new Date(Date.now() - age),
  cpu: 0.5,
  memory_used: 1,
  memory_total: 4,
  disk_used,
  disk_total: 100,
  network_in: 0,
  network_out: 0,
  load_1: 0,
  load_5: 0,
  load_15: 0,
})

test('lists at most 8 applications, the most recently deployed first, with their requests', async () => {
  const { workspace, server, token } = await makeYard()
  const ids: Id<'application'>[] = []
  for (let n = 0; n < 10; n++) ids.push(await makeApplication(db, workspace, server, { name: `shop ${n}` }))
  const [first] = ids
  if (!first) throw new Error('There is no application.')
  await makeDeployment(db, workspace, { id: first, server }, { actor_name: 'Grace' })
  const zeros = {
    status_2xx: 0,
    status_3xx: 0,
    status_4xx: 0,
    status_5xx: 0,
    bytes_in: 0,
    bytes_out: 0,
    latency_ms: 0,
    sessions: 0,
    cpu: 0,
    memory_used: 0,
  }
  const at = new Date(Math.floor(Date.now() / (30 * minute)) * 30 * minute)
  await db
    .insertInto('application_rollups')
    .values({ workspace_id: workspace, application_id: first, at, requests: 3, ...zeros })
    .execute()
  const { applications } = await slipway.ok(listHomeApplications, { token })
  expect(applications).toHaveLength(8)
  expect(applications[0]).toMatchObject({ id: first, logo: null, deployment: { actor: { name: 'Grace' } } })
  // Another half hour may begin during the test.
  const requests = applications[0]?.requests ?? []
  const newest = requests.at(-1) === null ? 46 : 47
  expect(requests).toEqual(Array.from({ length: 48 }, (_, at) => (at === newest ? 3 : null)))
  const other = await makeYard()
  expect((await slipway.ok(listHomeApplications, { token: other.token })).applications).toEqual([])
})

test('reports what a server uses, also when its metrics are old, unless they are older than a day', async () => {
  const { workspace, server, token } = await makeYard()
  await makeApplication(db, workspace, server, { name: 'shop' })
  const read = async () => (await slipway.ok(getServer, { token, params: { id: server } })).server
  await insertServerSamples(db, [sample(workspace, server, 25 * 60 * minute, 5)])
  expect(await read()).toMatchObject({ usage: null, applications: 1, containers: { running: 0, total: 0 } })
  await insertServerSamples(db, [sample(workspace, server, 3 * minute, 10)])
  expect((await read()).usage).toMatchObject({ disk_used: 10 })
  await insertServerSamples(db, [sample(workspace, server, minute, 20)])
  expect((await read()).usage).toMatchObject({ cpu: 0.5, memory_total: 4, disk_used: 20 })
})

test('lists full disks and expiring certificates without an alert', async () => {
  const { workspace, server, token } = await makeYard()
  await insertServerSamples(db, [sample(workspace, server, minute, 93)])
  const application_id = await makeApplication(db, workspace, server, { name: 'shop' })
  const owner = { workspace_id: workspace, application_id }
  for (const [host, days] of [
    ['soon.example.com', 3],
    ['later.example.com', 30],
  ] as const) {
    await db
      .insertInto('domains')
      .values({ id: newId('domain'), ...owner, host, path: '/', https: true })
      .execute()
    await db
      .insertInto('certificates')
      .values({
        id: newId('certificate'),
        workspace_id: workspace,
        host,
        kind: 'uploaded',
        status: 'issued',
        valid_from: new Date(Date.now() - 60 * 1_440 * minute),
        expires_at: new Date(Date.now() + days * 1_440 * minute),
      })
      .execute()
  }
  const { home } = await slipway.ok(getHome, { token })
  expect(home.attention.map(({ summary }) => summary).toSorted()).toEqual([
    'The certificate of soon.example.com expires soon.',
    'The disk of web-1 is 93 % full.',
  ])
})

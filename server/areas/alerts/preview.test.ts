import { afterAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { previewAlert } from '../../../contract/alerts.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import { makeAlert } from '../../../test/support/factories/alert-factories.ts'
import {
  makeApplication,
  makeDeployment,
  makeRelease,
} from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok } = slipway

const makeYard = async () => {
  const { workspace, viewer } = await makeTeam(db)
  const preview = async (body: object) => (await ok(previewAlert, { token: viewer.token, body })).preview
  const newServer = (name: string, given = {}) =>
    makeServer(ctx, workspace, nowhere(), { name, cpus: 4, ...given })
  return { workspace, preview, newServer }
}

const STEP = 300_000
const thisStep = Math.floor(Date.now() / STEP) * STEP
/** Start of the step that was `ago` steps before the current one. */
const steps = (ago: number) => new Date(thisStep - ago * STEP)
const start = Date.now()
const minutes = (ago: number) => new Date(start - ago * 60_000)

const rollUps = (workspace: Id<'workspace'>, server_id: Id<'server'>, figures: Record<number, object>) =>
  db
    .insertInto('server_rollups')
    .values(
      Object.entries(figures).map(([ago, given]) => rowOf(workspace, server_id, steps(Number(ago)), given)),
    )
    .execute()

const nothing = {
  cpu: 0,
  memory_used: 0,
  memory_total: 100,
  disk_used: 0,
  disk_total: 100,
  network_in: 0,
  network_out: 0,
  load_1: 0,
  load_5: 0,
  load_15: 0,
}
const rowOf = (workspace_id: Id<'workspace'>, server_id: Id<'server'>, at: Date, given: object) => ({
  workspace_id,
  server_id,
  at,
  ...nothing,
  ...given,
})

describe('metrics', () => {
  test('show the subjects closest to the threshold and count how often it would have fired', async () => {
    const { workspace, preview, newServer } = await makeYard()
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    for (const [index, name] of names.entries())
      await rollUps(workspace, await newServer(name), {
        40: { cpu: 0.5 + index / 20 },
        39: { cpu: 0.5 + index / 20 },
        38: { cpu: 0.1 },
        20: { cpu: index === 2 ? 0.9 : 0.1 },
        19: { cpu: 0.1 },
      })
    const looked = await preview({ kind: 'cpu', threshold: 70, for_seconds: 120 })
    expect(looked).toMatchObject({ subjects: 7, times_fired: 3, step_seconds: 300 })
    expect(looked.series.map(({ name, fired_at: times }) => [name, times.length])).toEqual([
      ['c', 1],
      ['g', 1],
      ['f', 1],
      ['e', 0],
      ['d', 0],
    ])
    const [first] = looked.series
    expect(first?.points[0]).toEqual({ at: steps(40).toISOString(), value: 60 })
    expect(first?.fired_at).toEqual([new Date(steps(20).getTime() + 120_000).toISOString()])
    expect(Date.now() - Date.parse(looked.since)).toBeLessThan(86_400_000 + STEP + 30_000)
  })

  test('count a firing only after its duration, and once while it lasts', async () => {
    const { workspace, preview, newServer } = await makeYard()
    const full = { memory_used: 95 }
    await rollUps(workspace, await newServer('a'), { 9: full, 8: full, 7: full, 6: {}, 5: full, 4: {} })
    expect(await preview({ kind: 'memory' })).toMatchObject({ times_fired: 1 })
    expect(await preview({ kind: 'memory', for_seconds: 0 })).toMatchObject({ times_fired: 2 })
    expect(await preview({ kind: 'memory', for_seconds: 3600 })).toMatchObject({ times_fired: 0 })
    expect(await preview({ kind: 'memory', for_seconds: 0, clear_seconds: 600 })).toMatchObject({
      times_fired: 1,
    })
  })

  test('include current samples; load is per core', async () => {
    const { workspace, preview, newServer } = await makeYard()
    const server = await newServer('a')
    await rollUps(workspace, server, { 2: { load_5: 4 } })
    await db
      .insertInto('server_samples')
      // The first sample belongs to a step that is already rolled up, the second to the current step.
      .values([
        rowOf(workspace, server, steps(2), { load_5: 40 }),
        rowOf(workspace, server, steps(0), { load_5: 10 }),
      ])
      .execute()
    const { series } = await preview({ kind: 'load' })
    expect(series[0]?.points.map(({ value }) => value)).toEqual([1, 2.5])
  })

  test('are limited to the scope and the workspace', async () => {
    const [{ workspace, preview, newServer }, other] = [await makeYard(), await makeYard()]
    const [one, two] = [await newServer('one'), await newServer('two')]
    for (const server of [one, two]) await rollUps(workspace, server, { 3: { disk_used: 50 } })
    await rollUps(other.workspace, await other.newServer('theirs'), { 3: { disk_used: 99 } })
    const project = newId('project')
    await db.insertInto('projects').values({ id: project, workspace_id: workspace, name: 'Shop' }).execute()
    await db
      .insertInto('project_servers')
      .values({ workspace_id: workspace, project_id: project, server_id: two })
      .execute()
    const names = async (kind: string, id: string | null = null) =>
      (await preview({ kind: 'disk', scope: { kind, id } })).series.map(({ name }) => name)
    expect(await names('all')).toEqual(['one', 'two'])
    expect(await names('server', one)).toEqual(['one'])
    expect(await names('project', project)).toEqual(['two'])
  })
})

const makeContainer = async (
  workspace_id: Id<'workspace'>,
  server_id: Id<'server'>,
  name: string,
  application_id: string | null = null,
) => {
  const id = `${name}${'0'.repeat(64)}`.slice(0, 64)
  const row = {
    id,
    name,
    application_id,
    image: 'a',
    image_id: 'a',
    state: 'running',
    created_at: new Date(),
  } as const
  await db
    .insertInto('containers')
    .values({ workspace_id, server_id, ports: '[]', ...row })
    .execute()
  return id
}

test('container memory is relative to its limit, with the container found by name', async () => {
  const { workspace, preview, newServer } = await makeYard()
  const server = await newServer('a')
  const shop = await makeApplication(db, workspace, server)
  const db1 = await makeContainer(workspace, server, 'db')
  await makeContainer(workspace, server, 'web', shop)
  const figures = { cpu: 0, memory_used: 30, memory_limit: 40, network_in: 0, network_out: 0 }
  await db
    .insertInto('container_rollups')
    .values({
      workspace_id: workspace,
      server_id: server,
      container_id: db1,
      at: steps(3),
      disk_read: 0,
      disk_written: 0,
      ...figures,
    })
    .execute()
  const look = (scope: object) => preview({ kind: 'container_memory', scope })
  expect(await look({ kind: 'all' })).toMatchObject({
    subjects: 2,
    series: [{ id: db1, points: [{ value: 75 }] }],
  })
  expect(await look({ kind: 'container', id: server, container: 'db' })).toMatchObject({
    subjects: 1,
    times_fired: 0,
  })
  expect(await look({ kind: 'application', id: shop })).toMatchObject({
    subjects: 1,
    series: [],
    times_fired: null,
  })
  expect(await preview({ kind: 'container_stopped' })).toMatchObject({
    subjects: 2,
    series: [],
    times_fired: null,
  })
})

test('counts restarts within the window', async () => {
  const { workspace, preview, newServer } = await makeYard()
  const server_id = await newServer('a')
  const container_id = await makeContainer(workspace, server_id, 'web')
  await db
    .insertInto('container_troubles')
    .values(
      [600, 599, 598, 300, 200, 100].map((ago) => ({
        workspace_id: workspace,
        server_id,
        container_id,
        kind: 'restart',
        times: 1,
        at: minutes(ago),
      })),
    )
    .execute()
  const { times_fired, series } = await preview({ kind: 'container_restarting' })
  expect({ times_fired, most: Math.max(...(series[0]?.points ?? []).map(({ value }) => value)) }).toEqual({
    times_fired: 1,
    most: 3,
  })
  expect(
    (await preview({ kind: 'container_restarting', window_seconds: 86_400, threshold: 5 })).times_fired,
  ).toBe(1)
  expect((await preview({ kind: 'container_restarting', threshold: 0 })).times_fired).toBe(4)
  expect((await preview({ kind: 'container_oom' })).times_fired).toBe(0)
})

test('reads reachability from events', async () => {
  const { workspace, preview, newServer } = await makeYard()
  const created_at = minutes(3000)
  const [flapping, lost] = [
    await newServer('flapping', { created_at }),
    await newServer('lost', { created_at, status: 'unreachable' }),
  ]
  await newServer('well', { created_at })
  const note = (type: 'server.unreachable' | 'server.ready', ago: number) =>
    transaction(db, async (trx) => {
      await emit(trx, 'slipway', workspace, type, { kind: 'server', id: flapping, name: 'flapping' })
      await sql`update events set created_at = ${minutes(ago)}
        where id = (select max(id) from events where target_id = ${flapping})`.execute(trx)
    })
  await note('server.unreachable', 500)
  await note('server.ready', 499.5)
  await note('server.unreachable', 400)
  await note('server.ready', 390)
  const looked = await preview({ kind: 'server_unreachable' })
  expect(looked.times_fired).toBe(2)
  expect(looked.series.map(({ id, fired_at: times }) => [id, times.length])).toEqual([
    [flapping, 1],
    [lost, 1],
    [expect.any(String), 0],
  ])
  expect((await preview({ kind: 'server_unreachable', for_seconds: 0 })).times_fired).toBe(3)
})

test('counts each failed deployment separately', async () => {
  const { workspace, preview, newServer } = await makeYard()
  const server = await newServer('a')
  const shop = { id: await makeApplication(db, workspace, server), server }
  const ended = (status: 'failed' | 'completed', ago: number) =>
    makeDeployment(db, workspace, shop, { status, finished_at: minutes(ago) })
  await ended('failed', 2000)
  await ended('failed', 500)
  await ended('failed', 400)
  await ended('completed', 300)
  await ended('failed', 200)
  expect(await preview({ kind: 'deployment_failed' })).toMatchObject({ subjects: 1, times_fired: 3 })
})

test('applies the new check to recorded results', async () => {
  const { workspace, preview, newServer } = await makeYard()
  const server = await newServer('a')
  const application_id = await makeApplication(db, workspace, server, { wanted: 'running' })
  await makeRelease(ctx, workspace, application_id, 1)
  const domain = { host: 'shop.example.com', path: '/', https: true }
  await db
    .insertInto('domains')
    .values({ id: newId('domain'), workspace_id: workspace, application_id, ...domain })
    .execute()
  expect(await preview({ kind: 'http_check' })).toMatchObject({ subjects: 1, times_fired: null, series: [] })
  const alert_id = await makeAlert(db, workspace, { kind: 'http_check' })
  const answered = (ago: number, status: number | null, latency_ms: number | null) => ({
    workspace_id: workspace,
    alert_id,
    application_id,
    at: minutes(ago),
    ok: status === 200,
    url: 'https://shop.example.com/',
    status,
    latency_ms,
  })
  const well = Array.from({ length: 10 }, (_, index) => answered(40 - index, 200, 900))
  const bad = [answered(30, 502, 20), answered(29, null, null), answered(28, 502, 20), answered(27, 200, 80)]
  await db
    .insertInto('checks')
    .values([...well, ...bad])
    .execute()
  const looked = await preview({ kind: 'http_check' })
  expect(looked).toMatchObject({ times_fired: 1, series: [{ id: application_id }] })
  expect(Math.max(...(looked.series[0]?.points ?? []).map(({ value }) => value))).toBe(900)
  const check = { latency_ms: 500, status: '200, 5xx' }
  expect((await preview({ kind: 'http_check', for_seconds: 0, check })).times_fired).toBe(1)
  expect((await preview({ kind: 'http_check', check: { status: '2xx, 5xx' } })).times_fired).toBe(0)
  expect((await preview({ kind: 'http_check', check: { path: '/other' } })).times_fired).toBeNull()
})

test('shows the days left of a certificate', async () => {
  const { workspace, preview, newServer } = await makeYard()
  const application_id = await makeApplication(db, workspace, await newServer('a'))
  const host = 'certified.example.com'
  const of = { workspace_id: workspace, host }
  await db
    .insertInto('domains')
    .values({ id: newId('domain'), ...of, application_id, path: '/', https: true })
    .execute()
  await db
    .insertInto('certificates')
    .values({
      id: newId('certificate'),
      ...of,
      kind: 'acme',
      status: 'issued',
      chain: 'chain',
      expires_at: new Date(Date.now() + 13.5 * 86_400_000),
      created_at: minutes(10_000),
    })
    .execute()
  const { times_fired, series } = await preview({ kind: 'certificate_expiry' })
  expect({ times_fired, name: series[0]?.name }).toEqual({ times_fired: 1, name: host })
  expect(new Set(series[0]?.points.map(({ value }) => value))).toEqual(new Set([14, 13]))
  expect((await preview({ kind: 'certificate_expiry', threshold: 7 })).times_fired).toBe(0)
  const valid_from = new Date(Date.now() - 16.5 * 86_400_000)
  await db.updateTable('certificates').set({ valid_from }).where('host', '=', host).execute()
  expect((await preview({ kind: 'certificate_expiry' })).times_fired).toBe(0)
})

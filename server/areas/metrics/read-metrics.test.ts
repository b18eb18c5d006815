import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { getServerMetrics } from '../../../contract/metrics.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { newId } from '../../platform/ids.ts'
import { deleteOldMetrics, rollUpMetrics } from './rollup.ts'
import { toTimeSpan } from './read-metrics.ts'
import { insertServerSamples } from './sample-writer.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db } = slipway
const { workspace, viewer } = await makeTeam(db)
const { token } = viewer

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds)
const never = new AbortController().signal

async function makeServer(): Promise<Id<'server'>> {
  const id = newId('server')
  await db
    .insertInto('servers')
    .values({ id, workspace_id: workspace, name: 'web-1', status: 'pending', address: '192.0.2.7' })
    .execute()
  return id
}

const sample = (server_id: Id<'server'>, at: Date, cpu = 0.5) => ({
  workspace_id: workspace,
  server_id,
  at,
  cpu,
  memory_used: 4_000_000_000,
  memory_total: 8_000_000_000,
  disk_used: 20_000_000_000,
  disk_total: 100_000_000_000,
  network_in: 1_000,
  network_out: 500,
  load_1: 0.5,
  load_5: 0.25,
  load_15: 0.125,
})

const between = (server: Id<'server'>, from: Date, to: Date, cpu?: number) =>
  Array.from({ length: Math.ceil((to.getTime() - from.getTime()) / 10_000) }, (_, n) =>
    sample(server, new Date(from.getTime() + n * 10_000), cpu),
  )

async function read(id: Id<'server'>, since?: Date) {
  const query = since ? { since: since.toISOString() } : undefined
  const { metrics } = await slipway.ok(getServerMetrics, { token, params: { id }, query })
  return { ...metrics, times: metrics.points.map(({ at }) => new Date(at).getTime()) }
}

describe('server metrics', () => {
  test('cover the last hour by default, evenly spaced', async () => {
    const id = await makeServer()
    await insertServerSamples(db, between(id, ago(2 * HOUR), new Date()))
    const { points, times, step_seconds: step, since } = await read(id)
    expect(step).toBe(15)
    expect(points.length).toBeGreaterThanOrEqual(240)
    expect(points.length).toBeLessThanOrEqual(242)
    expect(times[0]).toBeGreaterThanOrEqual(new Date(since).getTime())
    expect(new Set(times.slice(1).map((at, n) => at - (times[n] ?? 0)))).toEqual(new Set([15_000]))
    expect(Date.now() - (times.at(-1) ?? 0)).toBeLessThan(60_000)
    expect(points[7]).toEqual({
      at: points[7]?.at,
      cpu: 0.5,
      memory_used: 4_000_000_000,
      memory_total: 8_000_000_000,
      disk_used: 20_000_000_000,
      disk_total: 100_000_000_000,
      network_in: 1_000,
      network_out: 500,
      load_1: 0.5,
      load_5: 0.25,
      load_15: 0.125,
    })
  })

  test('have gaps without samples', async () => {
    const id = await makeServer()
    await insertServerSamples(db, [
      ...between(id, ago(30 * MINUTE), ago(20 * MINUTE)),
      ...between(id, ago(10 * MINUTE), ago(0)),
    ])
    const { times, step_seconds: step } = await read(id)
    const gaps = times.slice(1).filter((at, n) => at - (times[n] ?? 0) > step * 1_000)
    expect(gaps).toHaveLength(1)
  })

  test('over a long time are means up to now', async () => {
    const id = await makeServer()
    await insertServerSamples(db, between(id, ago(6 * HOUR), ago(3 * HOUR), 0.2))
    await rollUpMetrics(db)
    await insertServerSamples(db, between(id, ago(HOUR), new Date(), 0.8))
    const day = await read(id, ago(DAY))
    expect(day.step_seconds).toBe(300)
    expect(day.points.length).toBeGreaterThanOrEqual(48)
    expect(day.points[0]?.cpu).toBeCloseTo(0.2)
    expect(day.points.at(-1)?.cpu).toBeCloseTo(0.8)
    expect(Date.now() - (day.times.at(-1) ?? 0)).toBeLessThan(6 * MINUTE)
    expect(new Set(day.times).size).toBe(day.times.length)
  })

  test('have at most 361 points', async () => {
    const id = await makeServer()
    const old = Array.from({ length: 30 * 288 }, (_, n) => sample(id, ago(30 * DAY - n * 5 * MINUTE)))
    await db.insertInto('server_rollups').values(old.slice(0, 4_000)).execute()
    await db.insertInto('server_rollups').values(old.slice(4_000)).execute()
    for (const [back, step] of [
      [HOUR, 15],
      [6 * HOUR, 60],
      [7 * DAY, 1_800],
      [30 * DAY, 7_200],
      [4_000 * DAY, 7_200],
    ] as const) {
      const { points, step_seconds, since } = await read(id, ago(back))
      expect(step_seconds).toBe(step)
      expect(points.length).toBeLessThanOrEqual(362)
      expect(new Date(since).getTime()).toBeGreaterThan(Date.now() - 31 * DAY)
    }
  })

  test('are empty for the future or a new server', async () => {
    const id = await makeServer()
    expect((await read(id)).points).toEqual([])
    await insertServerSamples(db, [sample(id, ago(0))])
    expect((await read(id, ago(-HOUR))).points).toEqual([])
    expect((await read(id, ago(-400_000 * DAY))).points).toEqual([])
  })

  test('refuse invalid times and other workspaces', async () => {
    const id = await makeServer()
    for (const since of ['yesterday', '', '1700000000', '2026-13-01T00:00:00Z', '2026-01-01'])
      await slipway.refused(getServerMetrics, { token, params: { id }, query: { since } }, 422)
    const stranger = await makeTeam(db)
    await slipway.refused(getServerMetrics, { token: stranger.owner.token, params: { id } }, 404)
    await slipway.refused(getServerMetrics, { token, params: { id: 'srv_none' } }, 404)
  })

  test('use the same times in consecutive calls', () => {
    const now = new Date('2026-03-01T12:00:07.500Z')
    expect(toTimeSpan(now)).toEqual({ since: new Date('2026-03-01T11:00:00Z'), until: now, stepSeconds: 15 })
    expect(toTimeSpan(now, { since: '2026-03-01T11:58:03Z' }).since).toEqual(new Date('2026-03-01T11:58:00Z'))
  })

  test('end where asked, in steps that are still stored', async () => {
    const now = new Date('2026-03-01T12:00:00Z')
    const hour = { since: '2026-03-01T02:00:00Z', until: '2026-03-01T03:00:00Z' }
    expect(toTimeSpan(now, hour)).toMatchObject({ until: new Date(hour.until), stepSeconds: 15 })
    const before = { since: '2026-02-27T02:00:00Z', until: '2026-02-27T03:00:00Z' }
    expect(toTimeSpan(now, before).stepSeconds).toBe(300)
    const id = await makeServer()
    await insertServerSamples(db, between(id, ago(2 * HOUR), new Date()))
    const query = { since: ago(HOUR).toISOString(), until: ago(HOUR / 2).toISOString() }
    const { metrics } = await slipway.ok(getServerMetrics, { token, params: { id }, query })
    const times = metrics.points.map(({ at }) => new Date(at).getTime())
    expect(Math.max(...times)).toBeLessThan(new Date(query.until).getTime())
    expect(times.length).toBeGreaterThan(115)
  })
})

describe('roll-ups', () => {
  const rollupsOf = (id: Id<'server'>) =>
    db.selectFrom('server_rollups').selectAll().where('server_id', '=', id).orderBy('at').execute()

  test('are means of five minutes, idempotent, and include late samples', async () => {
    const id = await makeServer()
    const start = new Date(Math.floor(Date.now() / (5 * MINUTE)) * 5 * MINUTE - 10 * MINUTE)
    const all = between(id, start, new Date()).map((one, n) => ({ ...one, cpu: n % 2, network_in: n * 10 }))
    await insertServerSamples(db, all.slice(0, 20))
    await rollUpMetrics(db)
    await insertServerSamples(db, all.slice(20))
    await rollUpMetrics(db)
    await rollUpMetrics(db)
    // Another five minutes may end during the test.
    const made = (await rollupsOf(id)).slice(0, 2)
    expect(made.map(({ at }) => at)).toEqual([start, new Date(start.getTime() + 5 * MINUTE)])
    expect(made).toMatchObject([
      { workspace_id: workspace, cpu: 0.5, network_in: 145, memory_used: 4_000_000_000, load_15: 0.125 },
      { cpu: 0.5, network_in: 445 },
    ])
  })

  test('are kept for 30 days, samples for one', async () => {
    const id = await makeServer()
    await insertServerSamples(db, [sample(id, ago(DAY + MINUTE)), sample(id, ago(DAY - MINUTE))])
    const rollups = [ago(30 * DAY + MINUTE), ago(30 * DAY - MINUTE)].map((at) => sample(id, at))
    await db.insertInto('server_rollups').values(rollups).execute()
    await deleteOldMetrics(db, never)
    expect((await rollupsOf(id)).map(({ at }) => at)).toEqual([rollups[1]?.at])
    const left = await db.selectFrom('server_samples').select('at').where('server_id', '=', id).execute()
    expect(left).toHaveLength(1)
  })

  test('are created by the schedule', async () => {
    const id = await makeServer()
    await insertServerSamples(db, between(id, ago(20 * MINUTE), new Date()))
    const { areas } = await import('../../areas.ts')
    const metrics = areas.find(({ name }) => name === 'metrics')
    const [schedule] = metrics?.schedules ?? []
    expect(schedule).toMatchObject({ everySeconds: 300, job: { kind: metrics?.jobs?.[0]?.kind } })
    await metrics?.jobs?.[0]?.handle(
      slipway.ctx,
      {},
      {
        id: newId('job'),
        attempt: 1,
        fence: 1,
        signal: never,
        assertLease: async () => {},
      },
    )
    expect((await rollupsOf(id)).length).toBeGreaterThanOrEqual(3)
  })
})

describe('samples', () => {
  const count = async (id: Id<'server'>) =>
    (await db.selectFrom('server_samples').select('at').where('server_id', '=', id).execute()).length

  test('of many servers are written in one batch, skipping deleted ones', async () => {
    const [id, gone] = [await makeServer(), await makeServer()]
    await db.deleteFrom('servers').where('id', '=', gone).execute()
    const writer = slipway.ctx.sampleWriters().servers
    expect(slipway.ctx.sampleWriters().servers).toBe(writer)
    writer.add(sample(id, ago(1_000)))
    writer.add(sample(gone, ago(1_000)))
    writer.add(sample(id, ago(0)))
    await vi.waitFor(async () => expect(await count(id)).toBe(2))
    expect(await count(gone)).toBe(0)
  })
})

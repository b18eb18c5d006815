import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listContainers } from '../../../contract/containers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { getContainerMetrics } from '../../../contract/metrics.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { newId } from '../../platform/ids.ts'
import { deleteOldMetrics, rollUpMetrics } from './rollup.ts'
import { insertContainerSamples } from './sample-writer.ts'

const patient = { interval: 200 }

const machine = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const { workspace, viewer } = await makeTeam(db)
const { token } = viewer

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds)

/** Inserts a server without a connection. */
async function makeUnreachable(): Promise<Id<'server'>> {
  const id = newId('server')
  await db
    .insertInto('servers')
    .values({ id, workspace_id: workspace, name: 'web-1', status: 'unreachable', address: '192.0.2.7' })
    .execute()
  return id
}

const [one, other] = ['1'.repeat(64), '2'.repeat(64)] as const

const sample = (server_id: Id<'server'>, container_id: string, at: Date, cpu = 1.5) => ({
  workspace_id: workspace,
  server_id,
  container_id,
  at,
  cpu,
  memory_used: 30_000_000,
  memory_limit: 64_000_000,
  network_in: 1_000,
  network_out: 500,
  disk_read: 0,
  disk_written: 4_096,
})

const between = (server: Id<'server'>, container: string, from: Date, to: Date, cpu?: number) =>
  Array.from({ length: Math.ceil((to.getTime() - from.getTime()) / 10_000) }, (_, n) =>
    sample(server, container, new Date(from.getTime() + n * 10_000), cpu),
  )

async function read(id: Id<'server'>, cid: string, since?: Date) {
  const query = since ? { since: since.toISOString() } : undefined
  return (await slipway.ok(getContainerMetrics, { token, params: { id, cid }, query })).metrics
}

describe('a container of a watched server', () => {
  let server: Id<'server'>
  let container: string
  beforeAll(async () => {
    container = await runContainer(machine, { options: ['--name', 'busy'], script: 'while :; do :; done' })
    server = await makeServer(ctx, workspace, machine)
    slipway.work()
  })

  test('has metrics shortly after its creation, in charts and in the list', async () => {
    const points = await vi.waitFor(async () => {
      const found = await read(server, container)
      expect(found.points).not.toEqual([])
      return found.points
    }, patient)
    expect(points[0]?.cpu).toBeGreaterThan(0.02)
    expect(points[0]?.memory_used).toBeGreaterThan(0)
    await vi.waitFor(async () => {
      const { containers } = await slipway.ok(listContainers, { token, params: { id: server } })
      expect(containers[0]?.cpu).toBeGreaterThan(0.02)
      expect(containers[0]?.memory_limit).toBe(points[0]?.memory_limit)
    }, patient)
  })

  test('is found by name and ID prefix', async () => {
    for (const cid of ['busy', container.slice(0, 12)])
      expect((await read(server, cid)).points).not.toEqual([])
    for (const cid of ['lazy', '../busy', 'f'.repeat(64), '%'])
      await slipway.refused(getContainerMetrics, { token, params: { id: server, cid } }, 404)
  })

  test('keeps its metrics after its removal, by full ID', async () => {
    await machine.exec('docker', 'rm', '--force', 'busy')
    expect((await read(server, container)).points).not.toEqual([])
    await slipway.refused(getContainerMetrics, { token, params: { id: server, cid: 'busy' } }, 404)
  })
})

describe('container metrics', () => {
  test('are evenly spaced, even when the server is unreachable', async () => {
    const id = await makeUnreachable()
    await insertContainerSamples(db, between(id, one, ago(2 * HOUR), new Date()))
    await insertContainerSamples(db, between(id, other, ago(2 * HOUR), new Date(), 3))
    const { points, step_seconds: step } = await read(id, one)
    expect(step).toBe(15)
    expect(points.length).toBeGreaterThanOrEqual(240)
    expect(points.length).toBeLessThanOrEqual(242)
    expect(points[7]).toEqual({
      at: points[7]?.at,
      cpu: 1.5,
      memory_used: 30_000_000,
      memory_limit: 64_000_000,
      network_in: 1_000,
      network_out: 500,
      disk_read: 0,
      disk_written: 4_096,
    })
    expect((await read(id, other)).points[7]?.cpu).toBe(3)
  })

  test('over a long time are means up to now', async () => {
    const id = await makeUnreachable()
    await insertContainerSamples(db, between(id, one, ago(6 * HOUR), ago(3 * HOUR), 0.2))
    await insertContainerSamples(db, between(id, other, ago(6 * HOUR), ago(3 * HOUR), 0.4))
    await rollUpMetrics(db)
    await insertContainerSamples(db, between(id, one, ago(HOUR), new Date(), 0.8))
    const { points, step_seconds: step } = await read(id, one, ago(DAY))
    expect(step).toBe(300)
    expect(points[0]?.cpu).toBeCloseTo(0.2)
    expect(points.at(-1)?.cpu).toBeCloseTo(0.8)
    expect(new Set(points.map(({ at }) => at)).size).toBe(points.length)
    expect((await read(id, other, ago(DAY))).points.map(({ cpu }) => cpu.toFixed(2))).not.toContain('0.20')
  })

  test('are not found in another workspace or server', async () => {
    const [id, elsewhere] = [await makeUnreachable(), await makeServer(ctx, workspace, machine)]
    await insertContainerSamples(db, [sample(id, one, ago(0))])
    const stranger = await makeTeam(db)
    const params = { id, cid: one }
    await slipway.refused(getContainerMetrics, { token: stranger.owner.token, params }, 404)
    await slipway.refused(getContainerMetrics, { token, params: { id: elsewhere, cid: one } }, 404)
    await slipway.refused(getContainerMetrics, { token, params, query: { since: 'yesterday' } }, 422)
  })
})

describe('container roll-ups', () => {
  test('are idempotent and include late samples', async () => {
    const id = await makeUnreachable()
    const start = new Date(Math.floor(Date.now() / (5 * MINUTE)) * 5 * MINUTE - 10 * MINUTE)
    const all = between(id, one, start, new Date()).map((row, n) => ({
      ...row,
      cpu: n % 2,
      disk_read: n * 10,
    }))
    await insertContainerSamples(db, all.slice(0, 20))
    await rollUpMetrics(db)
    await insertContainerSamples(db, all.slice(20))
    await rollUpMetrics(db)
    await rollUpMetrics(db)
    const made = await db
      .selectFrom('container_rollups')
      .selectAll()
      .where('server_id', '=', id)
      // Another five minutes may end during the test.
      .where('at', '<', new Date(start.getTime() + 10 * MINUTE))
      .orderBy('at')
      .execute()
    expect(made.map(({ at }) => at)).toEqual([start, new Date(start.getTime() + 5 * MINUTE)])
    expect(made).toMatchObject([
      { workspace_id: workspace, container_id: one, cpu: 0.5, disk_read: 145, memory_limit: 64_000_000 },
      { cpu: 0.5, disk_read: 445 },
    ])
  })

  test('are kept for 30 days, samples for one', async () => {
    const id = await makeUnreachable()
    await insertContainerSamples(db, [
      sample(id, one, ago(DAY + MINUTE)),
      sample(id, other, ago(DAY - MINUTE)),
    ])
    const rollups = [ago(30 * DAY + MINUTE), ago(30 * DAY - MINUTE)].map((at) => sample(id, one, at))
    await db.insertInto('container_rollups').values(rollups).execute()
    await deleteOldMetrics(db, new AbortController().signal)
    const of = (table: 'container_samples' | 'container_rollups') =>
      db.selectFrom(table).select('container_id').where('server_id', '=', id).execute()
    expect(await of('container_rollups')).toEqual([{ container_id: one }])
    expect(await of('container_samples')).toEqual([{ container_id: other }])
    expect((await read(id, one, ago(30 * DAY))).points).toHaveLength(1)
  })
})

test('writes samples in one batch, skipping deleted servers', async () => {
  const [id, gone] = [await makeUnreachable(), await makeUnreachable()]
  await db.deleteFrom('servers').where('id', '=', gone).execute()
  const { containers: writer } = ctx.sampleWriters()
  for (const whose of [id, gone, id]) writer.add(sample(whose, whose === id ? one : other, new Date()))
  writer.add(sample(id, other, new Date()))
  await writer.flush()
  const found = await db
    .selectFrom('container_samples')
    .select('container_id')
    .where('server_id', 'in', [id, gone])
    .execute()
  expect(new Set(found.map(({ container_id }) => container_id))).toEqual(new Set([one, other]))
})

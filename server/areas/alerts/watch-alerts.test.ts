import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeAlert, makeIncident } from '../../../test/support/factories/alert-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeWorkspace, nowhere } from '../../../test/support/factories/factories.ts'
import { connectDatabase } from '../../platform/db.ts'
import { connectBus } from '../../platform/bus.ts'
import type { Tables } from '../../tables.ts'
import { startWorker } from '../../work/worker.ts'
import { jobs, schedules, deleteOldIncidents } from './area.ts'
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway
const polling = { interval: 100 }

/** Starts a second process on the same database. */
function startProcess() {
  const { pool, db: own } = connectDatabase<Tables>(slipway.database.connection, ctx.log)
  const bus = connectBus(slipway.database.connection, ctx.log)
  const { secrets, log } = ctx
  const worker = startWorker({
    ctx: { ...ctx, db: own, pool, bus },
    db: own,
    bus,
    secrets,
    jobs,
    schedules,
    log,
  })
  let stopped: Promise<void> | undefined
  const end = async () => {
    await worker.stop()
    await bus.close()
    await pool.end()
  }
  const stop = () => (stopped ??= end())
  onTestFinished(stop)
  return { stop }
}

test('runs in one process, continues in another, and repeats no notification', async () => {
  const workspace = await makeWorkspace(db)
  const watched_until = new Date(Date.now() + 86_400_000)
  const server = await makeServer(ctx, workspace, nowhere(), { watched_until })
  const alert = await makeAlert(db, workspace, {
    kind: 'server_unreachable',
    for_seconds: 0,
    clear_seconds: 0,
  })
  const setStatus = (status: 'ready' | 'unreachable') =>
    db.updateTable('servers').set({ status }).where('id', '=', server).execute()
  const emitted = async () => {
    const rows = await db
      .selectFrom('events')
      .select(['type'])
      .where('about', '=', alert)
      .orderBy('id')
      .execute()
    return rows.map(({ type }) => type)
  }
  const first = startProcess()
  const second = startProcess()
  await setStatus('unreachable')
  await vi.waitFor(async () => expect(await emitted()).toEqual(['alert.started']), polling)
  const running = () =>
    db
      .selectFrom('jobs')
      .select('fence')
      .where('kind', '=', 'watch-alerts')
      .where('state', '=', 'running')
      .execute()
  expect(await running()).toHaveLength(1)
  // Either process may hold the job, so stop one after the other.
  await first.stop()
  await vi.waitFor(async () => expect(await running()).toHaveLength(1), polling)
  const third = startProcess()
  await second.stop()
  await vi.waitFor(async () => expect(await running()).toHaveLength(1), polling)
  await setStatus('ready')
  await vi.waitFor(async () => expect(await emitted()).toEqual(['alert.started', 'alert.resolved']), polling)
  await third.stop()

  expect(slipway.lines.filter((line) => /Failed to (evaluate alerts|save incidents)/.test(line))).toEqual([])
})

test('deletes old resolved incidents and check results', async () => {
  const workspace = await makeWorkspace(db)
  const server = await makeServer(ctx, workspace, nowhere())
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  const trouble = {
    workspace_id: workspace,
    server_id: server,
    container_id: 'c',
    kind: 'oom',
    times: 1,
  } as const
  await db
    .insertInto('container_troubles')
    .values([
      { ...trouble, at: ago(2) },
      { ...trouble, at: ago(0.5) },
    ])
    .execute()
  const incident = (resolved_at: Date) =>
    makeIncident(db, workspace, null, { state: 'resolved', resolved_at, resolved_reason: 'It is well.' })
  const [, kept] = [await incident(ago(91)), await incident(ago(89))]
  await deleteOldIncidents(db, new AbortController().signal)
  const left = await db.selectFrom('incidents').select('id').where('workspace_id', '=', workspace).execute()
  expect(left).toEqual([{ id: kept }])
  const troubles = await db
    .selectFrom('container_troubles')
    .select('times')
    .where('server_id', '=', server)
    .execute()
  expect(troubles).toHaveLength(1)
})

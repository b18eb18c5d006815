import type pg from 'pg'
import { areas } from '../areas.ts'
import type { Context } from '../context.ts'
import { connectDatabase } from '../platform/db.ts'
import type { Tables } from '../tables.ts'
import { startEventRelay } from './event-relay.ts'
import { startWorker, type WorkerOptions } from './worker.ts'

export function startWork(
  ctx: Context,
  connection: pg.PoolConfig,
  options: Pick<WorkerOptions<Context>, 'lanes'> & { schedules?: WorkerOptions<Context>['schedules'] } = {},
): () => Promise<void> {
  const own = connectDatabase<Tables>({ ...connection, max: 2 }, ctx.log)
  const worker = startWorker({
    ctx,
    db: own.db,
    bus: ctx.bus,
    secrets: ctx.secrets,
    jobs: areas.flatMap((area) => area.jobs ?? []),
    schedules: areas.flatMap((area) => area.schedules ?? []),
    log: ctx.log,
    ...options,
  })
  const watchers = areas.flatMap((area) => area.watchers ?? [])
  const hooks = areas.map((area) => area.start?.withWorker?.(ctx, { db: own.db, watchers }))
  const listeners = areas.flatMap((area) => area.listeners ?? [])
  const relay = startEventRelay(ctx, listeners)
  return async () => {
    await Promise.all([worker.stop(), ...hooks.map((stop) => stop?.()), relay.stop()])
    await own.pool.end()
  }
}

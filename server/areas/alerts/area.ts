import { sql } from 'kysely'
import { z } from 'zod'
import type { Area } from '../../area.ts'
import type { Context } from '../../context.ts'
import type { Listeners } from '../../events.ts'
import { pause } from '../../platform/async.ts'
import { deleteInBatches } from '../../platform/db.ts'
import { defineJob, type JobRun, JobStopped } from '../../platform/jobs.ts'
import type { Db } from '../../tables.ts'
import { createDefaultAlerts } from './default-alerts.ts'
import { createEngine } from './engine.ts'
import { routes } from './routes.ts'

/** Milliseconds between passes. Metrics arrive every ten seconds, other changes at any time. */
const PASS_EVERY = 1_000

export async function watchAlerts(ctx: Context, run: JobRun): Promise<void> {
  const { signal } = run
  const engine = createEngine(ctx, run)
  let failing = false
  try {
    while (!signal.aborted) {
      try {
        await engine.pass(performance.now())
        failing = false
      } catch (error) {
        if (error instanceof JobStopped) throw error
        if (!failing && !signal.aborted)
          ctx.log.warn({ reason: String(error) }, 'Failed to evaluate alerts; retrying')
        failing = true
      }
      await pause(PASS_EVERY, signal)
    }
  } finally {
    await engine.stop()
  }
  // Throwing keeps the job unfinished, so that another process continues it.
  signal.throwIfAborted()
}

const incidentRetentionDays = 90

export async function deleteOldIncidents(db: Db, signal: AbortSignal): Promise<void> {
  const resolved = sql`state = 'resolved' and resolved_at < now() - make_interval(days => ${incidentRetentionDays})`
  await deleteInBatches(db, 'incidents', resolved, signal)
  const old = sql`at < now() - interval '1 day'`
  await deleteInBatches(db, 'checks', old, signal)
  await deleteInBatches(db, 'container_troubles', old, signal)
}

const noPayload = z.object({})

export const jobs = [
  defineJob<Context, typeof noPayload>('watch-alerts', noPayload, (ctx, _payload, run) =>
    watchAlerts(ctx, run),
  ),
  defineJob<Context, typeof noPayload>('tidy-alerts', noPayload, (ctx, _payload, { signal }) =>
    deleteOldIncidents(ctx.db, signal),
  ),
]

export const schedules = [
  {
    name: 'watch-alerts',
    everySeconds: 30,
    atStart: true,
    job: { kind: 'watch-alerts', payload: {}, key: 'alerts', lane: 'alerts' as const, attempts: 1_000 },
  },
  {
    name: 'tidy-alerts',
    everySeconds: 600,
    job: { kind: 'tidy-alerts', payload: {}, lane: 'poll' as const },
  },
]

const listeners: Listeners[] = [
  { 'workspace.created': (_, trx, { workspace_id }) => createDefaultAlerts(trx, workspace_id) },
]

export const alertsArea: Area = { name: 'alerts', routes, jobs, schedules, listeners }

import type { Area } from '../../area.ts'
import { routes } from './routes.ts'
import type { Listeners } from '../../outbox.ts'
import { createDefaultAlerts } from './default-alerts.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { watchAlerts } from './watch-alerts.ts'
import { sql } from 'kysely'
import { deleteInBatches } from '../../platform/delete-in-batches.ts'
import type { Db } from '../../tables.ts'

/** Keeps resolved incidents for 90 days, and check results for one day. */
export async function deleteOldIncidents(db: Db, signal: AbortSignal): Promise<void> {
  const over = sql`state = 'resolved' and resolved_at < now() - interval '90 days'`
  await deleteInBatches(db, 'incidents', over, signal)
  const old = sql`at < now() - interval '1 day'`
  await deleteInBatches(db, 'checks', old, signal)
  await deleteInBatches(db, 'container_troubles', old, signal)
}

const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof nothing>('watch-alerts', nothing, (ctx, _payload, run) => watchAlerts(ctx, run)),
  defineJob<Context, typeof nothing>('tidy-alerts', nothing, (ctx, _payload, { signal }) =>
    deleteOldIncidents(ctx.db, signal),
  ),
]

/** Restarts the engine whenever it is not running: the job ends only on a failure or shutdown. */
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

export const alertsArea: Area = {
  name: 'alerts',
  routes,
  jobs,
  schedules,
  listeners,
}

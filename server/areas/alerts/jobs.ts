import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { deleteOldIncidents } from './delete-old-incidents.ts'
import { watchAlerts } from './watch-alerts.ts'

const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof nothing>('watch-alerts', nothing, (ctx, _payload, run) => watchAlerts(ctx, run)),
  defineJob<Context, typeof nothing>('tidy-alerts', nothing, (ctx, _payload, { signal }) =>
    deleteOldIncidents(ctx.db, signal),
  ),
]

/** Begun again whenever it is not there: it ends only when it cannot help it. */
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

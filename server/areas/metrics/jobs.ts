import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { deleteMetricsByPlan, deleteOldMetrics, rollUpMetrics } from './roll-up.ts'

export const jobs = [
  defineJob<Context, z.ZodObject>('roll-up-metrics', z.object({}), async (ctx, _payload, { signal }) => {
    await rollUpMetrics(ctx.db)
    await deleteOldMetrics(ctx.db, signal)
  }),
  defineJob<Context, z.ZodObject>('forget-metrics-by-plan', z.object({}), (ctx, _payload, { signal }) =>
    deleteMetricsByPlan(ctx, signal),
  ),
]

export const schedules = [
  {
    name: 'roll-up-metrics',
    everySeconds: 300,
    job: { kind: 'roll-up-metrics', payload: {}, lane: 'poll' as const },
  },
  {
    name: 'forget-metrics-by-plan',
    everySeconds: 3_600,
    job: { kind: 'forget-metrics-by-plan', payload: {}, lane: 'poll' as const },
  },
]

import type { Area } from '../../area.ts'
import { watchers } from './collect-servers.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { deleteMetricsByPlan, deleteOldMetrics, rollUpMetrics } from './rollup.ts'
import * as contract from '../../../contract/metrics.ts'
import { route } from '../../route.ts'
import { getApplicationMetrics, getContainerMetrics, getServerMetrics } from './read-metrics.ts'

const routes = [
  route(contract.getServerMetrics, (ctx, { caller, params, query }) =>
    getServerMetrics(ctx, caller, params.id, query),
  ),
  route(contract.getContainerMetrics, (ctx, { caller, params, query }) =>
    getContainerMetrics(ctx, caller, params.id, params.cid, query),
  ),
  route(contract.getApplicationMetrics, (ctx, { caller, params, query }) =>
    getApplicationMetrics(ctx, caller, params.id, query),
  ),
]

const jobs = [
  defineJob<Context, z.ZodObject>('roll-up-metrics', z.object({}), async (ctx, _payload, { signal }) => {
    await rollUpMetrics(ctx.db)
    await deleteOldMetrics(ctx.db, signal)
  }),
  defineJob<Context, z.ZodObject>('forget-metrics-by-plan', z.object({}), (ctx, _payload, { signal }) =>
    deleteMetricsByPlan(ctx, signal),
  ),
]

const schedules = [
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

export const metricsArea: Area = { name: 'metrics', routes, jobs, schedules, watchers }

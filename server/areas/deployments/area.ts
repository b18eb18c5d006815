import type { Area } from '../../area.ts'
import { operationJobs, operationSchedules } from './operation-jobs.ts'
import { routes } from './routes.ts'
import { watchers } from './watch.ts'
import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { enqueueOrphanRemoval, requeueAbandoned, removeOrphans } from './cleanup/remove-orphans.ts'
import { deleteOldLogs } from './delete-old-logs.ts'
import { runDeployment } from './run-deployment.ts'

const deployment = z.object({ workspace_id: id('workspace'), deployment_id: id('deployment') })
const application = z.object({ workspace_id: id('workspace'), application_id: id('application') })
const nothing = z.object({})

const jobs = [
  defineJob<Context, typeof deployment>('deploy', deployment, (ctx, given, run) =>
    runDeployment(ctx, given.workspace_id, given.deployment_id, run),
  ),
  defineJob<Context, typeof application>('tidy-application', application, (ctx, given, run) =>
    removeOrphans(ctx, given.workspace_id, given.application_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-deployments', nothing, async (ctx) => {
    await requeueAbandoned(ctx)
    await enqueueOrphanRemoval(ctx)
  }),
  defineJob<Context, typeof nothing>('forget-deployment-logs', nothing, (ctx, _given, { signal }) =>
    deleteOldLogs(ctx.db, signal),
  ),
]

export const schedules = [
  {
    name: 'tidy-deployments',
    everySeconds: 15,
    job: { kind: 'tidy-deployments', payload: {}, lane: 'poll' as const },
  },
  {
    name: 'forget-deployment-logs',
    everySeconds: 3_600,
    job: { kind: 'forget-deployment-logs', payload: {}, lane: 'poll' as const },
  },
]

export const deploymentsArea: Area = {
  name: 'deployments',
  routes,
  jobs: [...jobs, ...operationJobs],
  schedules: [...schedules, ...operationSchedules],
  watchers,
}

import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Area } from '../../area.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { removeApplication, resumeDeletions } from './cleanup/remove-application.ts'
import { enqueueOrphanRemoval, requeueAbandoned, removeOrphans } from './cleanup/remove-orphans.ts'
import { crashWatcher, rollBackCrashed } from './report-crashes.ts'
import { routes } from './routes.ts'
import { runDeployment } from './run-deployment.ts'
import { deleteOldLogs } from './run/log.ts'

const deployment = z.object({ workspace_id: id('workspace'), deployment_id: id('deployment') })
const application = z.object({ workspace_id: id('workspace'), application_id: id('application') })
const deletion = application.extend({
  volumes: z.array(z.string()),
  folder: z.boolean(),
  leave: z.boolean(),
})
const crash = application.extend({ deployment_id: id('deployment') })
const nothing = z.object({})

const jobs = [
  defineJob<Context, typeof deployment>('deploy', deployment, (ctx, payload, run) =>
    runDeployment(ctx, payload.workspace_id, payload.deployment_id, run),
  ),
  defineJob<Context, typeof application>('tidy-application', application, (ctx, payload, run) =>
    removeOrphans(ctx, payload.workspace_id, payload.application_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-deployments', nothing, async (ctx) => {
    await requeueAbandoned(ctx)
    await enqueueOrphanRemoval(ctx)
  }),
  defineJob<Context, typeof nothing>('forget-deployment-logs', nothing, (ctx, _payload, { signal }) =>
    deleteOldLogs(ctx.db, signal),
  ),
  defineJob<Context, typeof crash>('roll-back-died', crash, (ctx, payload) =>
    rollBackCrashed(ctx, payload.workspace_id, payload.application_id, payload.deployment_id),
  ),
  defineJob<Context, typeof deletion>('delete-application', deletion, (ctx, payload, run) =>
    removeApplication(ctx, payload.workspace_id, payload.application_id, payload, run),
  ),
  defineJob<Context, typeof nothing>('take-up-deletions', nothing, (ctx) => resumeDeletions(ctx)),
]

const everySeconds = (kind: string, seconds: number) => ({
  name: kind,
  everySeconds: seconds,
  job: { kind, payload: {}, lane: 'poll' as const },
})

export const schedules = [
  everySeconds('tidy-deployments', 15),
  everySeconds('forget-deployment-logs', 3_600),
  everySeconds('take-up-deletions', 60),
]

export const deploymentsArea: Area = {
  name: 'deployments',
  routes,
  jobs,
  schedules,
  watchers: [crashWatcher],
}

import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Area } from '../../area.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { removeApplication, resumeDeletions } from './cleanup/remove-application.ts'
import { enqueueOrphanRemoval, removeOrphans, requeueAbandoned } from './cleanup/remove-orphans.ts'
import { crashWatcher } from './report-crashes.ts'
import { rollBack, rollBackCrashed } from './rollback.ts'
import { runDeployment } from './run-deployment.ts'
import { deleteOldLogs } from './run/delete-old-logs.ts'
import { deleteApplication as deleteContract } from '../../../contract/applications.ts'
import { planDeployment as planContract } from '../../../contract/compose.ts'
import * as contract from '../../../contract/deployments.ts'
import * as releases from '../../../contract/releases.ts'
import { listChanges } from '../applications/changes/find-changes.ts'
import { listReleases } from '../applications/release.ts'
import { previewReset, resetConfiguration } from '../applications/reset-configuration.ts'
import { cancelDeployment } from './cancel-deployment.ts'
import { deleteApplication } from './delete-application.ts'
import { getDeployment, listDeployments, streamDeploymentLogs } from './read-deployments.ts'
import { deployConfigured, operate } from './request-deployment.ts'
import { planDeployment } from './plan-deployment.ts'
import { showDeployment } from './present-deployment.ts'
import type { Deployment } from './run/deployment.ts'
import { route, successReply } from '../../route.ts'

const showRequested = async (
  ctx: Context,
  { workspace_id, id }: Pick<Deployment, 'workspace_id' | 'id'>,
) => ({
  deployment: await showDeployment(ctx, workspace_id, id),
})

const routes = [
  route(contract.listDeployments, (ctx, { caller, query }) => listDeployments(ctx, caller, query)),
  route(contract.getDeployment, async (ctx, { caller, params, query }) => ({
    deployment: await getDeployment(ctx, caller, params.id, query),
  })),
  route(contract.streamDeploymentLogs, (ctx, { caller, params, signal, lastEventId }) =>
    streamDeploymentLogs(ctx, caller, params.id, { signal, lastEventId }),
  ),
  route(contract.cancelDeployment, async (ctx, { caller, params }) => ({
    deployment: await cancelDeployment(ctx, caller, params.id),
  })),
  route(contract.deployApplication, async (ctx, { caller, params, body }) =>
    showRequested(ctx, await deployConfigured(ctx, caller, params.id, body)),
  ),
  route(contract.rollBackApplication, async (ctx, { caller, params, body }) =>
    showRequested(ctx, await rollBack(ctx, caller, params.id, body.release_id)),
  ),
  route(contract.restartApplication, async (ctx, { caller, params }) =>
    showRequested(ctx, await operate(ctx, caller, params.id, 'restart_application')),
  ),
  route(contract.stopApplication, async (ctx, { caller, params }) =>
    showRequested(ctx, await operate(ctx, caller, params.id, 'stop_application')),
  ),
  route(contract.startApplication, async (ctx, { caller, params }) =>
    showRequested(ctx, await operate(ctx, caller, params.id, 'start_application')),
  ),
  route(releases.listReleases, (ctx, { caller, params, query }) =>
    listReleases(ctx, caller, params.id, query),
  ),
  route(releases.listChanges, async (ctx, { caller, params, query }) => ({
    changes: await listChanges(ctx, caller, params.id, query),
  })),
  route(releases.previewReset, (ctx, { caller, params }) => previewReset(ctx, caller, params.id)),
  route(releases.resetConfiguration, (ctx, { caller, params, body }) =>
    resetConfiguration(ctx, caller, params.id, body.revision),
  ),
  route(planContract, async (ctx, { caller, params, query }) => ({
    plan: await planDeployment(ctx, caller, params.id, query.release_id),
  })),
  route(deleteContract, async (ctx, { caller, params, query }) => {
    await deleteApplication(ctx, caller, params.id, query)
    return successReply
  }),
]

const deploymentPayload = z.object({ workspace_id: id('workspace'), deployment_id: id('deployment') })
const applicationPayload = z.object({ workspace_id: id('workspace'), application_id: id('application') })
const deletionPayload = applicationPayload.extend({
  volumes: z.array(z.string()),
  folder: z.boolean(),
  leave: z.boolean(),
})
const crashPayload = applicationPayload.extend({ deployment_id: id('deployment') })
const noPayload = z.object({})

const jobs = [
  defineJob<Context, typeof deploymentPayload>('deploy', deploymentPayload, (ctx, payload, run) =>
    runDeployment(ctx, payload.workspace_id, payload.deployment_id, run),
  ),
  defineJob<Context, typeof applicationPayload>('tidy-application', applicationPayload, (ctx, payload, run) =>
    removeOrphans(ctx, payload.workspace_id, payload.application_id, run),
  ),
  defineJob<Context, typeof noPayload>('tidy-deployments', noPayload, async (ctx) => {
    await requeueAbandoned(ctx)
    await enqueueOrphanRemoval(ctx)
  }),
  defineJob<Context, typeof noPayload>('forget-deployment-logs', noPayload, (ctx, _payload, { signal }) =>
    deleteOldLogs(ctx.db, signal),
  ),
  defineJob<Context, typeof crashPayload>('roll-back-crashed', crashPayload, (ctx, payload) =>
    rollBackCrashed(ctx, payload.workspace_id, payload.application_id, payload.deployment_id),
  ),
  defineJob<Context, typeof deletionPayload>('delete-application', deletionPayload, (ctx, payload, run) =>
    removeApplication(ctx, payload.workspace_id, payload.application_id, payload, run),
  ),
  defineJob<Context, typeof noPayload>('take-up-deletions', noPayload, (ctx) => resumeDeletions(ctx)),
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

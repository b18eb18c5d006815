import { deleteApplication as deletion } from '../../../contract/applications.ts'
import { planDeployment as planContract } from '../../../contract/compose.ts'
import * as contract from '../../../contract/deployments.ts'
import { listChanges } from '../applications/changes/find-changes.ts'
import { listReleases } from '../applications/release.ts'
import { cancelDeployment } from './cancel-deployment.ts'
import { deleteApplication } from './delete-application.ts'
import { getDeployment, listDeployments, streamDeploymentLogs } from './run/deployment.ts'
import { deployConfigured, operate, rollBack } from './request-deployment.ts'
import { planDeployment } from './plan-deployment.ts'
import { successReply, route } from '../../route.ts'

export const routes = [
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
  route(contract.deployApplication, async (ctx, { caller, params, body }) => ({
    deployment: await deployConfigured(ctx, caller, params.id, body),
  })),
  route(contract.rollBackApplication, async (ctx, { caller, params, body }) => ({
    deployment: await rollBack(ctx, caller, params.id, body.release_id),
  })),
  route(contract.restartApplication, async (ctx, { caller, params }) => ({
    deployment: await operate(ctx, caller, params.id, 'restart_application'),
  })),
  route(contract.stopApplication, async (ctx, { caller, params }) => ({
    deployment: await operate(ctx, caller, params.id, 'stop_application'),
  })),
  route(contract.startApplication, async (ctx, { caller, params }) => ({
    deployment: await operate(ctx, caller, params.id, 'start_application'),
  })),
  route(contract.listReleases, (ctx, { caller, params, query }) =>
    listReleases(ctx, caller, params.id, query),
  ),
  route(contract.listChanges, async (ctx, { caller, params, query }) => ({
    changes: await listChanges(ctx, caller, params.id, query),
  })),
  route(planContract, async (ctx, { caller, params, query }) => ({
    plan: await planDeployment(ctx, caller, params.id, query.release_id),
  })),
  route(deletion, async (ctx, { caller, params, query }) => {
    await deleteApplication(ctx, caller, params.id, query)
    return successReply
  }),
]

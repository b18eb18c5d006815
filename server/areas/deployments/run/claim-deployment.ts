import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { emit, nudge } from '../../../events.ts'
import { allowManyListeners } from '../../../platform/async.ts'
import type { JobRun } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, lockApplication, applicationTarget } from '../../applications/application.ts'
import { findRelease } from '../../applications/release.ts'
import { findServer } from '../../servers/server.ts'
import { ContainerLogs } from './container-logs.ts'
import { type DeploymentRun, DeploymentEnded, Interruption, writeWithLease } from './deployment-run.ts'
import { findTargetRelease, createsRelease, deploymentMessage } from './choose-release.ts'
import { type Deployment, isFinished } from './deployment.ts'
import { finishAbandoned } from './finish.ts'
import { openDeploymentLog } from './log.ts'
import {
  findDeployment,
  listSteps,
  lockDeployment,
  lockUnfinished,
  updateDeployment,
  updateSteps,
} from './store.ts'

/** Marks the deployment as running. Returns undefined if it is finished, deleted, or owned by another job. */
export async function claimDeployment(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  job: JobRun,
  unreachableLimit: number,
): Promise<DeploymentRun | undefined> {
  const claimed = await transaction(ctx.db, (trx) => claimRow(ctx, trx, workspaceId, id, job))
  if (!claimed) return undefined
  const { application, deployment } = claimed
  const [found, release, steps, log] = await Promise.all([
    findServer(ctx, workspaceId, application.server_id),
    deployment.release_id ? findRelease(ctx.db, workspaceId, deployment.release_id) : undefined,
    listSteps(ctx.db, workspaceId, id),
    openDeploymentLog(ctx, deployment, (work) => writeWithLease({ ctx, job, deployment }, work)),
  ])
  if (!found) return undefined
  let server = found
  return {
    ctx,
    job,
    signal: allowManyListeners(AbortSignal.any([job.signal, log.signal])),
    application,
    deployment,
    release,
    steps,
    stepEntered: Promise.resolve(),
    server: () => server,
    reloadServer: async () => {
      server = (await findServer(ctx, workspaceId, deployment.server_id)) ?? server
    },
    interruption: new Interruption(job.fence > 1),
    log,
    containerLogs: new ContainerLogs(),
    unhealthy: new Set(),
    unreachableLimit,
  }
}

async function claimRow(
  ctx: Context,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  job: JobRun,
): Promise<{ application: ApplicationRow; deployment: Deployment } | undefined> {
  const { application_id } = (await findDeployment(trx, workspaceId, id)) ?? {}
  const application = application_id && (await lockApplication(trx, workspaceId, application_id))
  const deployment = await lockDeployment(trx, workspaceId, id)
  if (!application || !deployment || isFinished(deployment) || deployment.job_id !== job.id) return undefined
  await job.assertLease(trx)
  if (deployment.status === 'running') return { application, deployment }
  if (application.deleting_at) {
    await updateSteps(trx, workspaceId, id, { status: 'waiting' }, { status: 'skipped' })
    await updateDeployment(trx, workspaceId, id, { status: 'cancelled', finished_at: new Date() })
    return undefined
  }
  // The job key of the application is ours, so no other worker is running these deployments.
  for (const left of await lockUnfinished(trx, workspaceId, application.id, ['running']))
    await finishAbandoned(ctx, trx, application, left)
  const begun = await updateDeployment(trx, workspaceId, id, {
    status: 'running',
    started_at: new Date(),
    ...(await releaseChanges(trx, application, deployment)),
  })
  if (!begun) throw new DeploymentEnded()
  await emit(
    trx,
    'slipway',
    workspaceId,
    'deployment.started',
    { ...applicationTarget(application), about: id },
    begun.message ?? undefined,
  )
  await nudge(trx, workspaceId, 'deployment.changed', application.id)
  return { application, deployment: begun }
}

/** Sets the release if the request did not name one, now that the current and previous releases are known. */
async function releaseChanges(trx: Trx, application: ApplicationRow, { type, release_id }: Deployment) {
  if (release_id !== null || createsRelease(type)) return {}
  const release = await findTargetRelease(trx, application, type)
  return (
    release && {
      release_id: release.id,
      tag: release.image || null,
      message: deploymentMessage(application, type, release),
    }
  )
}

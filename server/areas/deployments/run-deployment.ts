import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { findRelease, updateRelease } from '../applications/release.ts'
import { type DiscardBuild, handleFailure } from './cleanup/handle-failure.ts'
import { deployCompose, discardComposeBuilds } from './deploy-compose.ts'
import { deployImage } from './deploy-image.ts'
import { deployRepository, discardRepositoryBuild } from './deploy-repository.ts'
import { findTargetRelease, noReleaseMessage } from './run/choose-release.ts'
import {
  crashWatchDeadline,
  createsRelease,
  type Deployment,
  deploymentMessage,
  enqueueDrain,
  isFinished,
  openErrors,
  findDeployment,
  listSteps,
  lockDeployment,
  lockUnfinished,
  updateDeployment,
  updateSteps,
} from './run/deployment.ts'
import {
  DeploymentCanceled,
  DeploymentEnded,
  DeploymentFailed,
  type DeploymentRun,
  isPending,
  nudgeDeployment,
  type ReleaseRun,
  step,
  type StepName,
  writeWithLease,
} from './run/deployment-run.ts'
import { finishAbandoned } from './run/finish-deployment.ts'
import { loadReleaseRun } from './run/release-run.ts'
import { cleanUp } from './cleanup/clean-up.ts'
import { stopTraffic } from './steps/switch-traffic.ts'
import { emit, nudge } from '../../events.ts'
import { allowManyListeners } from '../../platform/async.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { type ApplicationRow, lockApplication, applicationTarget } from '../applications/application.ts'
import { findServer } from '../servers/server.ts'
import { openDeploymentLog } from './run/deployment-log.ts'
import { ContainerLogs } from './run/container-logs.ts'

const unreachableLimitMs = 120_000

/** Cleanup runs in a second job. A failure before the traffic switch reverts everything. */
export async function runDeployment(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  job: JobRun,
  unreachableLimit = unreachableLimitMs,
): Promise<void> {
  const run = await claimDeployment(ctx, workspaceId, id, job, unreachableLimit)
  if (!run) return
  const { deploy, discardBuild } = chooseStory(run)
  try {
    begin(run)
    if (isPending(run, 'switch')) await startDrainJob(await deploy(run))
    else await cleanUp(run, discardBuild)
  } catch (error) {
    if (error instanceof DeploymentEnded) return
    await handleFailure(run, error, discardBuild)
  } finally {
    run.containerLogs.stop()
    await run.log.flush().catch(() => {})
  }
}

interface Story {
  deploy: (run: DeploymentRun) => Promise<ReleaseRun>
  discardBuild: DiscardBuild
}

function chooseStory({ application, deployment: { type } }: DeploymentRun): Story {
  if (type === 'stop_application') return { deploy: stopApplication, discardBuild: async () => {} }
  if (type === 'build_application') return { deploy: deployRepository, discardBuild: discardRepositoryBuild }
  return application.compose_sealed === null
    ? { deploy: deployImage, discardBuild: async () => {} }
    : { deploy: deployCompose, discardBuild: discardComposeBuilds }
}

async function stopApplication(run: DeploymentRun): Promise<ReleaseRun> {
  const release = await loadReleaseRun(run)
  await step(release, 'switch', stopTraffic)
  return release
}

function begin(run: DeploymentRun): void {
  const { ctx, application, deployment, log, release, steps } = run
  if (steps[0]?.status === 'waiting') log.write(startMessage(deployment, run.server().name))
  if (!deployment.switched_at && deployment.cancel_requested_at) throw new DeploymentCanceled()
  // A failed step or a saved error means that an earlier worker was interrupted while it reverted the deployment.
  const hasFailed = steps.some(({ name, status }) => status === 'failed' && !isCleanupStep(name))
  const [savedError] = openErrors(ctx, deployment)
  if (hasFailed || (!deployment.switched_at && savedError)) throw new DeploymentFailed(savedError ?? '')
  if (!release && !createsRelease(deployment.type))
    throw new DeploymentFailed(noReleaseMessage(application, deployment.type))
}

const isCleanupStep = (name: StepName) => name === 'drain' || name === 'prune'

/** Turns the message of a deployment into the first line of its log: "Deploying acme/store:1.4 to web-1". */
function startMessage({ message, type }: Deployment, server: string): string {
  const [verb = '', ...rest] = (message ?? '').split(' ')
  const preposition = type === 'deploy_application' ? 'to' : 'on'
  return [gerunds[verb] ?? verb, ...rest, preposition, server].join(' ')
}

const gerunds: Record<string, string> = {
  Deploy: 'Deploying',
  Build: 'Building',
  Roll: 'Rolling',
  Restart: 'Restarting',
  Start: 'Starting',
  Stop: 'Stopping',
}

/** Draining may take long, so it runs in a lane of its own. */
async function startDrainJob(run: ReleaseRun): Promise<void> {
  const { ctx, containerLogs, deployment, log, release } = run
  log.write(switchedMessage(run))
  await containerLogs.catchUp(run)
  containerLogs.stop()
  await log.flush()
  await writeWithLease(run, async (trx) => {
    const { workspace_id, id } = deployment
    await updateSteps(trx, workspace_id, id, { name: 'switch' }, { status: 'completed' })
    if (deployment.type !== 'stop_application')
      await updateRelease(trx, workspace_id, release.id, { live_at: ctx.now() })
    await updateDeployment(trx, workspace_id, id, {
      job_id: await enqueueDrain(ctx, trx, deployment),
      watched_until: crashWatchDeadline(ctx, deployment),
    })
    await nudgeDeployment(trx, run)
  })
}

function switchedMessage({ deployment: { type }, release }: ReleaseRun): string {
  if (type === 'stop_application') return 'Traffic stopped'
  if (type !== 'restart_application') return `Traffic switched to release ${release.number}`
  return `Traffic switched to the new containers of release ${release.number}`
}

async function claimDeployment(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  job: JobRun,
  unreachableLimit: number,
): Promise<DeploymentRun | undefined> {
  const claimed = await transaction(ctx.db, (trx) => claimRow(ctx, trx, workspaceId, id, job))
  if (!claimed) return undefined
  const { application, deployment } = claimed
  const [serverRow, release, steps, log] = await Promise.all([
    findServer(ctx, workspaceId, application.server_id),
    deployment.release_id ? findRelease(ctx.db, workspaceId, deployment.release_id) : undefined,
    listSteps(ctx.db, workspaceId, id),
    openDeploymentLog(ctx, deployment, (work) => writeWithLease({ ctx, job, deployment }, work)),
  ])
  if (!serverRow) return undefined
  let server = serverRow
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
    interruption: { occurred: job.fence > 1 },
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
  // This job holds the job key of the application, so no other worker is running these deployments.
  for (const abandoned of await lockUnfinished(trx, workspaceId, application.id, ['running']))
    await finishAbandoned(ctx, trx, application, abandoned)
  const started = await updateDeployment(trx, workspaceId, id, {
    status: 'running',
    started_at: new Date(),
    ...(await releaseChanges(trx, application, deployment)),
  })
  if (!started) throw new DeploymentEnded()
  await emit(
    trx,
    'slipway',
    workspaceId,
    'deployment.started',
    { ...applicationTarget(application), about: id },
    started.message ?? undefined,
  )
  await nudge(trx, workspaceId, 'deployment.changed', application.id)
  return { application, deployment: started }
}

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

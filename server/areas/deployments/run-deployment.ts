import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { updateRelease } from '../applications/release.ts'
import {
  failureMessage,
  handleFailure,
  internalErrorMessage,
  isLastAttempt,
} from './cleanup/handle-failure.ts'
import { deployCompose, discardComposeBuilds } from './deploy-compose.ts'
import { deployImage } from './deploy-image.ts'
import { deployRepository, discardRepositoryBuild } from './deploy-repository.ts'
import { leaveOldNetworks } from './networks/join-networks.ts'
import { createsRelease, noReleaseMessage } from './run/choose-release.ts'
import { claimDeployment } from './run/claim-deployment.ts'
import { enqueueDrain } from './run/deploy-job.ts'
import {
  DeploymentCanceled,
  DeploymentEnded,
  DeploymentFailed,
  type DeploymentRun,
  nudgeDeployment,
  type ReleaseRun,
  toRunScope,
  type StepName,
  writeWithApplication,
  writeWithLease,
} from './run/deployment-run.ts'
import type { Deployment } from './run/deployment.ts'
import { completeDeployment, crashWatchDeadline } from './run/finish.ts'
import { loadReleaseRun } from './run/release-run.ts'
import { openErrors, sealStepError } from './run/sealed-errors.ts'
import { isPending, retryWhileUnreachable, saveStepStart, step } from './run/step.ts'
import { updateDeployment, updateSteps } from './run/store.ts'
import { drainOldContainers } from './steps/drain.ts'
import { pruneReleases } from './steps/prune-releases.ts'
import { stopTraffic } from './steps/switch-traffic.ts'

/** Milliseconds to retry while the server is unreachable. */
const unreachableLimitMs = 120_000

/**
 * Runs a deployment until traffic is switched, and its cleanup in a second job. A failure before the traffic
 * switch reverts everything.
 */
export async function runDeployment(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  job: JobRun,
  unreachableLimit = unreachableLimitMs,
): Promise<void> {
  const run = await claimDeployment(ctx, workspaceId, id, job, unreachableLimit)
  if (!run) return
  const { deploy, discardBuild } = storyOf(run)
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
  /** Runs the steps until traffic is switched. */
  deploy: (run: DeploymentRun) => Promise<ReleaseRun>
  /** Removes what a build left on the server. */
  discardBuild: (run: DeploymentRun) => Promise<void>
}

function storyOf({ application, deployment: { type } }: DeploymentRun): Story {
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

/** Throws what an earlier worker or the user decided. */
function begin(run: DeploymentRun): void {
  const { ctx, application, deployment, log, release, steps } = run
  if (steps[0]?.status === 'waiting') log.write(startMessage(deployment, run.server().name))
  if (!deployment.switched_at && deployment.cancel_requested_at) throw new DeploymentCanceled()
  // An earlier worker was interrupted while reverting.
  const hasFailed = steps.some(({ name, status }) => status === 'failed' && !isCleanupStep(name))
  const [before] = openErrors(ctx, deployment)
  if (hasFailed || (!deployment.switched_at && before)) throw new DeploymentFailed(before ?? '')
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

/** Drains the old containers and removes what is no longer needed. */
async function cleanUp(run: DeploymentRun, discardBuild: Story['discardBuild']): Promise<void> {
  await cleanupStep(run, 'drain', async (run) => {
    await drainOldContainers(run)
    const isCompose = run.application.compose_sealed !== null
    if (isCompose && run.deployment.type !== 'stop_application')
      await leaveOldNetworks(await loadReleaseRun(run))
  })
  await cleanupStep(run, 'prune', async (run) => {
    const { signal } = run
    await pruneReleases({ ...toRunScope(run), signal, write: (work) => writeWithApplication(run, work) })
    if (run.deployment.type === 'build_application') await tryDiscardBuild(run, discardBuild)
  })
  await completeDeployment(run)
}

/** The release is live whether or not the cleanup succeeds; a failed cleanup is retried later. */
async function cleanupStep(
  run: DeploymentRun,
  name: StepName,
  work: (run: DeploymentRun) => Promise<void>,
): Promise<void> {
  if (!isPending(run, name)) return
  run.signal.throwIfAborted()
  const { workspace_id, id } = run.deployment
  await saveStepStart(run, name)
  try {
    await retryWhileUnreachable(run, () => work(run))
  } catch (error) {
    run.signal.throwIfAborted()
    const why = failureMessage(run, error) ?? (isLastAttempt(run) ? internalErrorMessage : undefined)
    if (!why) throw error
    run.log.write(`${why} Slipway retries this later.`)
    const error_sealed = sealStepError(run.ctx, id, why)
    await writeWithLease(run, (trx) =>
      updateSteps(trx, workspace_id, id, { name }, { status: 'failed', error_sealed }),
    )
  }
}

/** The release is live; what cannot be removed now is removed by the orphan job. */
async function tryDiscardBuild(run: DeploymentRun, discardBuild: Story['discardBuild']): Promise<void> {
  try {
    await discardBuild(run)
  } catch (error) {
    if (!(error instanceof DeploymentFailed)) throw error
    run.log.write(`${error.message} Slipway retries this later.`)
  }
}

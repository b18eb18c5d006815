import type { stepNames } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { allSettledOrThrow } from '../../platform/async.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { updateRelease } from '../applications/release.ts'
import {
  handleFailure,
  isLastAttempt,
  internalErrorMessage,
  failureMessage,
} from './cleanup/handle-failure.ts'
import { createsRelease, noReleaseMessage } from './run/choose-release.ts'
import { claimDeployment } from './run/claim-deployment.ts'
import { catchUpContainerLogs } from './run/container-logs.ts'
import { enqueueDrain } from './run/deploy-job.ts'
import {
  type DeploymentRun,
  DeploymentCanceled,
  DeploymentFailed,
  DeploymentEnded,
  nudgeDeployment,
  writeWithLease,
  writeWithApplication,
} from './run/deployment-run.ts'
import type { Deployment } from './run/deployment.ts'
import { completeDeployment, crashWatchDeadline } from './run/finish.ts'
import { stopFollowing } from './run/followed-work.ts'
import { retryWhileUnreachable } from './run/retry-while-unreachable.ts'
import { openErrors, sealStepError } from './run/sealed-errors.ts'
import { enterStep, listSteps, updateDeployment, updateSteps } from './run/store.ts'
import { clearSource, isRepository } from './source/source-work.ts'
import { buildStep } from './steps/build.ts'
import { checkStep } from './steps/check.ts'
import { drainStep } from './steps/drain.ts'
import { fetchStep } from './steps/fetch.ts'
import { pruneReleases } from './steps/prune-releases.ts'
import { startStep } from './steps/start.ts'
import { switchTraffic } from './steps/switch-traffic.ts'
import { healthCheckStep } from './steps/wait-until-healthy.ts'

type Step = (typeof stepNames)[number]

const steps: Record<Step, (attempt: DeploymentRun) => Promise<void>> = {
  check: checkStep,
  fetch: fetchStep,
  build: buildStep,
  start: startStep,
  wait: healthCheckStep,
  switch: switchTraffic,
  drain: drainStep,
  async prune(attempt) {
    await pruneReleases({ ...attempt, write: (work) => writeWithApplication(attempt, work) })
    if (isRepository(attempt)) await tryClearSource(attempt)
  },
}

/** The release is live; what cannot be removed now is removed by the orphan job. */
async function tryClearSource(attempt: DeploymentRun): Promise<void> {
  try {
    await clearSource(attempt, attempt.deployment.id)
  } catch (error) {
    if (!(error instanceof DeploymentFailed)) throw error
    attempt.log.write(`${error.message} Slipway retries this later.`)
  }
}

/** Milliseconds to retry while the server is unreachable; shorter before anything was changed. */
const unreachableLimitMs = 120_000
const unreachableLimitAtStart = 15_000

/**
 * Runs the steps of a deployment in order. Each step is saved before and after and is idempotent, so a worker
 * that takes over continues with the first unfinished step. A failure before the traffic switch reverts
 * everything.
 */
export async function runDeployment(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  run: JobRun,
  unreachableLimit = unreachableLimitMs,
): Promise<void> {
  const attempt = await claimDeployment(ctx, workspaceId, id, run, unreachableLimit)
  if (!attempt) return
  try {
    await runSteps(attempt)
  } catch (error) {
    if (error instanceof DeploymentEnded) return
    await handleFailure(attempt, error)
  } finally {
    attempt.stopLogs.abort()
    if (attempt.sourceWork) await stopFollowing(attempt.sourceWork)
    await attempt.log.flush().catch(() => {})
  }
}

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

async function runSteps(attempt: DeploymentRun): Promise<void> {
  const { ctx, application, deployment, server, log, signal, unreachableLimit } = attempt
  const all = await listSteps(ctx.db, deployment.workspace_id, deployment.id)
  if (all[0]?.status === 'waiting') log.write(startMessage(deployment, server.name))
  if (!deployment.switched_at && deployment.cancel_requested_at) throw new DeploymentCanceled()
  // An earlier worker was interrupted while reverting.
  const hasFailed = all.some(({ name, status }) => status === 'failed' && !isCleanupStep(name))
  const [before] = openErrors(ctx, deployment)
  if (hasFailed || (!deployment.switched_at && before)) throw new DeploymentFailed(before ?? '')
  if (!attempt.release && !createsRelease(deployment.type))
    throw new DeploymentFailed(noReleaseMessage(application, deployment.type))
  for (const { name, status } of all) {
    if (status !== 'waiting' && status !== 'running') continue
    signal.throwIfAborted()
    attempt.stepEntered = enterNextStep(attempt, name)
    const doIt = () => steps[name](attempt)
    if (isCleanupStep(name)) await runCleanupStep(attempt, name, doIt)
    else {
      const most = name === 'check' ? Math.min(unreachableLimitAtStart, unreachableLimit) : unreachableLimit
      // The step may read while its start is being saved.
      await allSettledOrThrow([attempt.stepEntered, retryWhileUnreachable(attempt, doIt, most)])
    }
    // Draining may take long, so it runs in a lane of its own.
    if (name === 'switch') return startDrainJob(attempt)
  }
  await completeDeployment(attempt)
}

const isCleanupStep = (name: Step) => name === 'drain' || name === 'prune'

const enterNextStep = (attempt: DeploymentRun, name: Step) =>
  writeWithLease(attempt, async (trx) => {
    const { workspace_id, id } = attempt.deployment
    await enterStep(trx, workspace_id, id, name)
    await nudgeDeployment(trx, attempt)
  })

/** The release is live whether or not the cleanup succeeds; a failed cleanup is retried later. */
async function runCleanupStep(attempt: DeploymentRun, name: Step, work: () => Promise<void>): Promise<void> {
  const { workspace_id, id } = attempt.deployment
  await attempt.stepEntered
  try {
    await retryWhileUnreachable(attempt, work)
  } catch (error) {
    attempt.signal.throwIfAborted()
    const why = failureMessage(attempt, error) ?? (isLastAttempt(attempt) ? internalErrorMessage : undefined)
    if (!why) throw error
    attempt.log.write(`${why} Slipway retries this later.`)
    const error_sealed = sealStepError(attempt.ctx, id, why)
    await writeWithLease(attempt, (trx) =>
      updateSteps(trx, workspace_id, id, { name }, { status: 'failed', error_sealed }),
    )
  }
}

function switchedMessage({ type }: DeploymentRun['deployment'], release: DeploymentRun['release']): string {
  if (type === 'stop_application') return 'Traffic stopped'
  if (type !== 'restart_application') return `Traffic switched to release ${release?.number}`
  return `Traffic switched to the new containers of release ${release?.number}`
}

async function startDrainJob(attempt: DeploymentRun): Promise<void> {
  const { ctx, deployment, release, log, stopLogs } = attempt
  log.write(switchedMessage(deployment, release))
  await catchUpContainerLogs(attempt)
  stopLogs.abort()
  await log.flush()
  await writeWithLease(attempt, async (trx) => {
    const { workspace_id, id } = deployment
    await updateSteps(trx, workspace_id, id, { name: 'switch' }, { status: 'completed' })
    if (release && deployment.type !== 'stop_application')
      await updateRelease(trx, workspace_id, release.id, { live_at: ctx.now() })
    await updateDeployment(trx, workspace_id, id, {
      job_id: await enqueueDrain(ctx, trx, deployment),
      watched_until: crashWatchDeadline(ctx, deployment),
    })
    await nudgeDeployment(trx, attempt)
  })
}

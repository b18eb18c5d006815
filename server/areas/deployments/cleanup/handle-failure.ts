import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../../errors.ts'
import { JobStopped } from '../../../platform/jobs.ts'
import { RemoteError } from '../../../remote/errors.ts'
import { deleteInstance, listInstances } from '../../applications/instance.ts'
import { deleteRelease, listReleaseImages } from '../../applications/release.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { toServerProblem } from '../../servers/reach.ts'
import { isCompose } from '../compose/read-compose.ts'
import { belongsToInstance, listManagedContainers, removeContainer } from '../containers/containers.ts'
import { isRouted } from '../containers/routed.ts'
import { removeTag } from '../images/release-images.ts'
import { deployAttempts } from '../run/deploy-job.ts'
import {
  type DeploymentRun,
  DeploymentCanceled,
  DeploymentFailed,
  nudgeDeployment,
  writeWithLease,
  hostOfRun,
  listNewInstances,
} from '../run/deployment-run.ts'
import { finishCanceled, finishFailed } from '../run/finish.ts'
import { isUnreachable } from '../run/retry-while-unreachable.ts'
import { openErrors, sealErrors, sealStepError } from '../run/sealed-errors.ts'
import { updateDeployment, updateSteps } from '../run/store.ts'
import { removeBuilds } from '../source/build-images.ts'
import { clearSource, isRepository } from '../source/source-work.ts'
import { revertSwitch } from '../steps/switch-traffic.ts'
import { restoreStopped, restoreContainerName } from './stop-to-make-room.ts'

const revertTimeout = 5_000

/** Reverts the deployment and saves the error. Internal errors are retried first. */
export async function handleFailure(attempt: DeploymentRun, error: unknown): Promise<void> {
  const { ctx, run, deployment } = attempt
  const { reason } = run.signal
  if (
    error instanceof DeploymentCanceled ||
    (reason instanceof JobStopped && reason.reason === 'cancelled')
  ) {
    await tryRevert(attempt)
    return finishCanceled(attempt)
  }
  run.signal.throwIfAborted()
  const why = failureMessage(attempt, error)
  if (!why && !isLastAttempt(attempt)) throw error
  const found = [why ?? internalErrorMessage, ...errorLines(error)]
  const before = openErrors(ctx, deployment)
  const errors = before.length > 0 ? before : found
  await writeWithLease(attempt, async (trx) => {
    const { workspace_id, id } = deployment
    const failed = { status: 'failed', error_sealed: sealStepError(ctx, id, errors[0] ?? '') } as const
    await updateSteps(trx, workspace_id, id, { status: 'running' }, failed)
    await updateDeployment(trx, workspace_id, id, { errors_sealed: sealErrors(ctx, id, errors) })
    await nudgeDeployment(trx, attempt)
  })
  const isUndone = await tryRevert(attempt)
  await finishFailed(attempt, errors, isUndone)
}

export const isLastAttempt = ({ run }: DeploymentRun) => run.attempt >= deployAttempts

export const internalErrorMessage =
  'Slipway failed with an internal error. See the Slipway log for details, then deploy again.'

const errorLines = (error: unknown) => (error instanceof DeploymentFailed ? error.lines : [])

/** Returns undefined for internal errors. */
export function failureMessage({ server }: DeploymentRun, error: unknown): string | undefined {
  const said = error instanceof RemoteError ? toServerProblem(server, error) : error
  if (!(said instanceof DeploymentFailed || said instanceof Problem)) return undefined
  return diskFull.test(said.message)
    ? `The disk of ${server.name} is full. Free up space, then deploy again.`
    : said.message
}

const diskFull = /no space left on device/i

/**
 * Returns whether everything was reverted. While the server is unreachable the rows stay, and the orphan job
 * cleans up later.
 */
async function tryRevert(attempt: DeploymentRun): Promise<boolean> {
  const began = Date.now()
  for (;;) {
    try {
      await revertDeployment(attempt)
      return true
    } catch (error) {
      const why = failureMessage(attempt, error)
      if (!why) throw error
      if (!isUnreachable(error) || Date.now() - began > revertTimeout) {
        attempt.log.write(`${why} Slipway cleans up after this deployment later.`)
        return false
      }
      await sleep(500)
    }
  }
}

/** Reverts everything the deployment changed. Not aborted by the signal that stopped the deployment. */
async function revertDeployment(attempt: DeploymentRun): Promise<void> {
  const { ctx, application } = attempt
  // The proxy must also release the published ports.
  const wasRouted = await isRouted(ctx.db, application)
  if ((await revertSwitch(attempt)) && (wasRouted || (await isRouted(ctx.db, application))))
    await syncProxy(ctx, attempt.server)
  // Checks the lease: a worker that took over may be creating these containers.
  const instances = await writeWithLease(attempt, (trx) => listNewInstances(attempt, trx))
  const { docker } = hostOfRun(attempt)
  if (instances.length > 0) {
    const all = await listManagedContainers(docker, application.id)
    const made = all.filter((one) => instances.some((instance) => belongsToInstance(one, instance)))
    await Promise.all(made.map(({ id }) => removeContainer(docker, id, { volumes: true })))
  }
  await restorePrevious(attempt)
  if (isCompose(attempt) && attempt.deployment.type === 'deploy_application') await removeBuilds(attempt)
  if (isRepository(attempt)) await clearSource(attempt, attempt.deployment.id)
  const release = isUnreleased(attempt) ? attempt.release : undefined
  for (const { tag } of release ? listReleaseImages(release) : []) await removeTag(docker, tag)
  await writeWithLease(attempt, async (trx) => {
    for (const { workspace_id, id } of instances) await deleteInstance(trx, workspace_id, id)
    if (!release) return
    await deleteRelease(trx, release.workspace_id, release.id)
    await updateDeployment(trx, release.workspace_id, attempt.deployment.id, { release_id: null })
  })
}

async function restorePrevious(attempt: DeploymentRun): Promise<void> {
  const { ctx, server, application, deployment, log } = attempt
  const all = await listInstances(ctx.db, deployment.workspace_id, application.id)
  // Includes containers that an earlier revert could not restart.
  const held = all.filter(({ state }) => state === 'held')
  await restoreStopped({ ctx, server, application, write: (work) => writeWithLease(attempt, work) }, held)
  const { docker } = hostOfRun(attempt)
  for (const one of all.filter(({ state }) => state === 'stopped')) await restoreContainerName(docker, one)
  if (held.length > 0) log.write('The previous containers are running again.')
}

/** A release that was never live cannot be rolled back to. */
const isUnreleased = ({ release, deployment }: DeploymentRun) =>
  release?.deployment_id === deployment.id && release.live_at === null

import { setTimeout as sleep } from 'node:timers/promises'
import { JobStopped } from '../../../platform/jobs.ts'
import { toPlainText } from '../../../platform/text/plain-text.ts'
import {
  deleteInstance,
  listInstances,
  belongsToInstance,
  listManagedContainers,
} from '../../applications/instance.ts'
import { deleteRelease, listReleaseImages, type Release } from '../../applications/release.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { saveContainerLog } from '../../saved-logs/saved-log.ts'
import { isRouted } from '../containers/route-targets.ts'
import { removeTag } from '../images/release-images.ts'
import {
  deployAttempts,
  openErrors,
  sealErrors,
  sealStepError,
  updateDeployment,
  updateSteps,
} from '../run/deployment.ts'
import {
  DeploymentCanceled,
  DeploymentFailed,
  type DeploymentRun,
  failureMessage,
  getRunHost,
  isUnreachable,
  listNewInstances,
  nudgeDeployment,
  toRunScope,
  writeWithLease,
} from '../run/deployment-run.ts'
import { finishCanceled, finishFailed } from '../run/finish-deployment.ts'
import { findSavedRelease } from '../run/release-run.ts'
import { revertSwitch } from '../steps/switch-traffic.ts'
import { restoreStopped, restoreContainerName } from './stop-to-make-room.ts'
import { removeContainer } from '../../containers/docker-container.ts'

const revertTimeout = 5_000

export type DiscardBuild = (run: DeploymentRun) => Promise<void>

export async function handleFailure(
  run: DeploymentRun,
  error: unknown,
  discardBuild: DiscardBuild,
): Promise<void> {
  const { ctx, job, deployment } = run
  const { reason } = job.signal
  if (
    error instanceof DeploymentCanceled ||
    (reason instanceof JobStopped && reason.reason === 'cancelled')
  ) {
    await tryRevert(run, discardBuild)
    return finishCanceled(run)
  }
  job.signal.throwIfAborted()
  const why = failureMessage(run, error)
  if (!why && !isLastAttempt(run)) throw error
  // The reason may quote terminal output of a program, but notifications and lists need plain text.
  const found = [toPlainText(why ?? internalErrorMessage), ...errorLines(error)]
  const before = openErrors(ctx, deployment)
  const errors = before.length > 0 ? before : found
  await writeWithLease(run, async (trx) => {
    const { workspace_id, id } = deployment
    const failed = { status: 'failed', error_sealed: sealStepError(ctx, id, errors[0] ?? '') } as const
    await updateSteps(trx, workspace_id, id, { status: 'running' }, failed)
    await updateDeployment(trx, workspace_id, id, { errors_sealed: sealErrors(ctx, id, errors) })
    await nudgeDeployment(trx, run)
  })
  const isUndone = await tryRevert(run, discardBuild)
  await finishFailed(run, errors, isUndone)
}

export const isLastAttempt = ({ job }: DeploymentRun) => job.attempt >= deployAttempts

export const internalErrorMessage =
  'Slipway failed with an internal error. See the Slipway log for details, then deploy again.'

const errorLines = (error: unknown) => (error instanceof DeploymentFailed ? error.lines : [])

/** If the server is unreachable, the rows stay and the orphan job cleans up later. */
async function tryRevert(run: DeploymentRun, discardBuild: DiscardBuild): Promise<boolean> {
  const began = Date.now()
  for (;;) {
    try {
      await revertDeployment(run, discardBuild)
      return true
    } catch (error) {
      const why = failureMessage(run, error)
      if (!why) throw error
      if (!isUnreachable(error) || Date.now() - began > revertTimeout) {
        run.log.write(`${why} Slipway will clean up after this deployment later.`)
        return false
      }
      await sleep(500)
    }
  }
}

/** The signal that stopped the deployment must not abort its reversal. */
async function revertDeployment(run: DeploymentRun, discardBuild: DiscardBuild): Promise<void> {
  const { ctx, application } = run
  // The proxy must also release the published ports.
  const wasRouted = await isRouted(ctx.db, application)
  if ((await revertSwitch(run)) && (wasRouted || (await isRouted(ctx.db, application))))
    await syncProxy(ctx, run.server())
  // Checks the lease: a worker that took over may be creating these containers.
  const instances = await writeWithLease(run, (trx) => listNewInstances(run, trx))
  const { docker } = getRunHost(run)
  if (instances.length > 0) {
    const all = await listManagedContainers(docker, application.id)
    await Promise.all(
      all.map(async (container) => {
        const instance = instances.find((candidate) => belongsToInstance(container, candidate))
        if (!instance) return
        await saveContainerLog(ctx, run.server(), application, instance, container.id)
        await removeContainer(docker, container.id, { volumes: true })
      }),
    )
  }
  await restorePrevious(run)
  await discardBuild(run)
  const release = await findUnreleased(run)
  for (const { tag } of release ? listReleaseImages(release) : []) await removeTag(docker, tag)
  await writeWithLease(run, async (trx) => {
    for (const { workspace_id, id } of instances) await deleteInstance(trx, workspace_id, id)
    if (!release) return
    await deleteRelease(trx, release.workspace_id, release.id)
    await updateDeployment(trx, release.workspace_id, run.deployment.id, { release_id: null })
  })
}

async function restorePrevious(run: DeploymentRun): Promise<void> {
  const { ctx, application, deployment, log } = run
  const all = await listInstances(ctx.db, deployment.workspace_id, application.id)
  // Includes containers that an earlier revert could not restart.
  const held = all.filter(({ state }) => state === 'held')
  await restoreStopped(toRunScope(run), held)
  const { docker } = getRunHost(run)
  for (const one of all.filter(({ state }) => state === 'stopped')) await restoreContainerName(docker, one)
  if (held.length > 0) log.write('The previous containers are running again.')
}

async function findUnreleased(run: DeploymentRun): Promise<Release | undefined> {
  const release = await findSavedRelease(run)
  return release?.deployment_id === run.deployment.id && release.live_at === null ? release : undefined
}

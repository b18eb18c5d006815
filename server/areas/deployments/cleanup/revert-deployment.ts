import { deleteInstance, listInstances } from '../../applications/instance.ts'
import { deleteRelease, listReleaseImages } from '../../applications/release.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { type DeploymentRun, hostOfRun, listNewInstances, writeWithLease } from '../run/deployment-run.ts'
import { removeBuilds } from '../source/build-images.ts'
import { belongsToInstance, listManagedContainers, removeContainer } from '../containers/containers.ts'
import { restoreStopped, restoreContainerName } from './stop-to-make-room.ts'
import { isCompose } from '../compose/load-model.ts'
import { removeTag } from '../images/release-images.ts'
import { isRouted } from '../containers/routed.ts'
import { clearSource, isRepository } from '../source/source-work.ts'
import { revertSwitch } from '../steps/switch-traffic.ts'
import { updateDeployment } from '../run/store.ts'

/** Reverts everything the deployment changed. Not aborted by the signal that stopped the deployment. */
export async function revertDeployment(attempt: DeploymentRun): Promise<void> {
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

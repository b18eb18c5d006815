import { deleteInstance, listInstances } from '../../applications/instance.ts'
import { deleteRelease, listReleaseImages } from '../../applications/release.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { type Attempt, hostFor, ownInstances, writeAs } from '../run/attempt.ts'
import { endBuilds } from '../source/build-images.ts'
import { isOf, listMade, removeContainer } from '../containers/containers.ts'
import { bringBack, takeNameBack } from './hold.ts'
import { isCompose } from '../compose/model-for.ts'
import { removeName } from '../images/release-images.ts'
import { isRouted } from '../containers/routed.ts'
import { clearSource, isRepository } from '../source/source-work.ts'
import { turnBack } from '../steps/switch.ts'
import { updateDeployment } from '../run/store.ts'

/** Takes back all that it began; what served before serves on. Not stopped by what stopped the deployment itself. */
export async function undo(attempt: Attempt): Promise<void> {
  const { ctx, application } = attempt
  // The ports of its file go with it, and the proxy has to let go of them as well.
  const wasRouted = await isRouted(ctx.db, application)
  if ((await turnBack(attempt)) && (wasRouted || (await isRouted(ctx.db, application))))
    await syncProxy(ctx, attempt.server)
  // Only while it is ours: whoever has taken it over may be making what would be removed.
  const instances = await writeAs(attempt, (trx) => ownInstances(attempt, trx))
  const { docker } = hostFor(attempt)
  if (instances.length > 0) {
    const all = await listMade(docker, application.id)
    const made = all.filter((one) => instances.some((instance) => isOf(one, instance)))
    await Promise.all(made.map(({ id }) => removeContainer(docker, id, { volumes: true })))
  }
  await bringBackHeld(attempt)
  if (isCompose(attempt) && attempt.deployment.type === 'deploy_application') await endBuilds(attempt)
  if (isRepository(attempt)) await clearSource(attempt, attempt.deployment.id)
  const release = isNew(attempt) ? attempt.release : undefined
  for (const { tag } of release ? listReleaseImages(release) : []) await removeName(docker, tag)
  await writeAs(attempt, async (trx) => {
    for (const { workspace_id, id } of instances) await deleteInstance(trx, workspace_id, id)
    if (!release) return
    await deleteRelease(trx, release.workspace_id, release.id)
    await updateDeployment(trx, release.workspace_id, attempt.deployment.id, { release_id: null })
  })
}

async function bringBackHeld(attempt: Attempt): Promise<void> {
  const { ctx, server, application, deployment, log } = attempt
  const all = await listInstances(ctx.db, deployment.workspace_id, application.id)
  // Also what an earlier one could not bring back.
  const held = all.filter(({ state }) => state === 'held')
  await bringBack({ ctx, server, application, write: (work) => writeAs(attempt, work) }, held)
  const { docker } = hostFor(attempt)
  for (const one of all.filter(({ state }) => state === 'stopped')) await takeNameBack(docker, one)
  if (held.length > 0) log.say('The previous containers are running again.')
}

/** One that never took the traffic is nothing to go back to. */
const isNew = ({ release, deployment }: Attempt) =>
  release?.deployment_id === deployment.id && release.live_at === null

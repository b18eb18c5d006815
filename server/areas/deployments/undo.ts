import { deleteInstance } from '../applications/instance.ts'
import { deleteRelease, releaseTag } from '../applications/release.ts'
import { syncProxy } from '../proxies/proxy.ts'
import { type Attempt, hostFor, ownInstances, writeAs } from './attempt.ts'
import { isOf, listMade, removeContainer } from './containers.ts'
import { removeName } from './release-images.ts'
import { isRouted } from './routed.ts'
import { turnBack } from './steps/switch.ts'
import { updateDeployment } from './store.ts'

/** Takes back all that it began; what served before serves on. Not stopped by what stopped the deployment itself. */
export async function undo(attempt: Attempt): Promise<void> {
  const { ctx, application } = attempt
  if ((await turnBack(attempt)) && (await isRouted(ctx.db, application))) await syncProxy(ctx, attempt.server)
  // Only while it is ours: whoever has taken it over may be making what would be removed.
  const instances = await writeAs(attempt, (trx) => ownInstances(attempt, trx))
  const { docker } = hostFor(attempt)
  if (instances.length > 0) {
    const all = await listMade(docker, application.id)
    const made = all.filter((one) => instances.some((instance) => isOf(one, instance)))
    await Promise.all(made.map(({ id }) => removeContainer(docker, id, { volumes: true })))
  }
  const release = isNew(attempt) ? attempt.release : undefined
  if (release) await removeName(docker, releaseTag(release))
  await writeAs(attempt, async (trx) => {
    for (const { workspace_id, id } of instances) await deleteInstance(trx, workspace_id, id)
    if (!release) return
    await deleteRelease(trx, release.workspace_id, release.id)
    await updateDeployment(trx, release.workspace_id, attempt.deployment.id, { release_id: null })
  })
}

/** One that never took the traffic is nothing to go back to. */
const isNew = ({ release, deployment }: Attempt) =>
  release?.deployment_id === deployment.id && release.live_at === null

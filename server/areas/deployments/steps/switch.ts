import { nudge } from '../../../events.ts'
import type { Trx } from '../../../tables.ts'
import { changeApplication } from '../../applications/application.ts'
import { type Instance, listInstances, updateInstance } from '../../applications/instance.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { allEnded } from '../run/all-ended.ts'
import { type Attempt, Cancelled, hostFor, ownInstances, releaseOf, writeBoth } from '../run/attempt.ts'
import { startContainer, updateContainer } from '../containers/containers.ts'
import type { Deployment } from '../run/deployment.ts'
import { giveNames } from '../cleanup/give-names.ts'
import { hasCompleted } from '../containers/has-completed.ts'
import { joinNewNetworks } from '../networks/move-networks.ts'
import { isReplaced, partOf } from '../containers/part.ts'
import { publish, publishAsBefore } from '../containers/publish.ts'
import { isRouted } from '../containers/routed.ts'
import { freeSlots } from '../networks/slots.ts'
import { restartPolicyOf } from '../containers/specification.ts'
import { updateDeployment } from '../run/store.ts'
import { mustStillRun, untilAllAreWell } from './wait.ts'

/**
 * In one moment the new containers take the traffic and the old ones get no more of it. Where something came in between
 * they may have ended since they were well, so they are looked at again.
 */
export async function switchOver(attempt: Attempt): Promise<void> {
  const { ctx, application, signal, deployment } = attempt
  const isStop = deployment.type === 'stop_application'
  if (!deployment.switched_at && !isStop) {
    // Before it is looked at: whoever was cut off may have left it out of a network that it needs.
    await giveNames(attempt)
    await joinNewNetworks(attempt)
    if (attempt.wasInterrupted) await untilAllAreWell(attempt)
  }
  // Ports of a compose file go with what published them, and the proxy has to let go of them as well.
  const wasRouted = isRouted(ctx.db, application)
  await allEnded([writeTurn(attempt, wasRouted), ...(isStop ? [] : [stayUp(attempt)])])
  if ((await wasRouted) || (await isRouted(ctx.db, application))) await syncProxy(ctx, attempt.server, signal)
}

async function writeTurn(attempt: Attempt, looked: Promise<unknown>): Promise<void> {
  const { deployment, entered } = attempt
  const isAwaited = !deployment.switched_at && deployment.type !== 'stop_application'
  await allEnded([entered, looked, ...(isAwaited ? [mustStillRun(attempt)] : [])])
  if (!deployment.switched_at) await turn(attempt)
}

/**
 * Docker starts them again by itself from before the proxy sends anybody there. Whoever did this before may have been
 * cut off in between, and the server may have been restarted since.
 */
async function stayUp(attempt: Attempt): Promise<void> {
  const { docker } = hostFor(attempt)
  const instances = await ownInstances(attempt)
  await allEnded(
    instances.map(async ({ id: instance, container_id: id, service }) => {
      const part = partOf(releaseOf(attempt), service)
      if (await hasCompleted(docker, part, id ?? '')) return
      // What this went on without is Docker's to try again, where the file says so.
      const isUnwell = attempt.unwell.has(instance) && part.restart !== 'no'
      await updateContainer(docker, id ?? '', restartPolicyOf(part))
      // After that: one that ended again before Docker knew would stay down.
      if (attempt.wasInterrupted || isUnwell) await startContainer(docker, id ?? '')
    }),
  )
}

/** From here on it cannot be cancelled. */
async function turn(attempt: Attempt): Promise<void> {
  const { ctx, deployment } = attempt
  const { workspace_id, application_id } = deployment
  const release = releaseOf(attempt)
  const isStop = deployment.type === 'stop_application'
  attempt.deployment = await writeBoth(attempt, async (trx, now, application) => {
    if (now.cancel_requested_at) throw new Cancelled()
    const all = await listInstances(trx, workspace_id, application_id)
    const drain_until = new Date(ctx.now().getTime() + release.config.drain_seconds * 1_000)
    for (const one of all)
      if (isGoing(deployment, one))
        await updateInstance(trx, workspace_id, one.id, {
          state: 'draining',
          // What made room is stopped already.
          drain_until: one.state === 'held' ? null : drain_until,
          drained_by: deployment.id,
        })
    if (!isStop) await serve(trx, deployment.id, all)
    if (!isStop) await publish(attempt, trx, release)
    await changeApplication(
      trx,
      workspace_id,
      application_id,
      isStop ? { wanted: 'stopped' } : { wanted: 'running', release_id: release.id },
    )
    await nudge(trx, workspace_id, 'application.changed', application_id)
    const changed = await updateDeployment(trx, workspace_id, deployment.id, {
      switched_at: ctx.now(),
      replaced_release_id: application.release_id,
      replaced_wanted: application.wanted,
    })
    return changed ?? now
  })
}

/** What serves, or has made room, of a service whose new containers take its place; or that is no longer wanted. */
const isGoing = (deployment: Deployment, { state, service, deployment_id }: Instance) =>
  (state === 'serving' || state === 'held') &&
  deployment_id !== deployment.id &&
  isReplaced(deployment, service)

/** Each in a slot of the proxy that no other instance has. */
async function serve(trx: Trx, deployment: Attempt['deployment']['id'], all: Instance[]): Promise<void> {
  const nextSlot = freeSlots(all)
  for (const one of all.filter(({ deployment_id }) => deployment_id === deployment)) {
    if (one.address === null) {
      await updateInstance(trx, one.workspace_id, one.id, { state: 'serving' })
      continue
    }
    await updateInstance(trx, one.workspace_id, one.id, { state: 'serving', slot: nextSlot() })
  }
}

/** The proxy did not take it: what this took the traffic from serves again. Whether there was anything to turn back. */
export async function turnBack(attempt: Attempt): Promise<boolean> {
  const { workspace_id, application_id, id } = attempt.deployment
  if (!attempt.deployment.switched_at) return false
  attempt.deployment = await writeBoth(attempt, async (trx, now) => {
    for (const one of await listInstances(trx, workspace_id, application_id)) {
      if (one.deployment_id === id)
        await updateInstance(trx, workspace_id, one.id, { state: 'starting', slot: null })
      else if (one.state === 'draining' && one.drained_by === id)
        await updateInstance(
          trx,
          workspace_id,
          one.id,
          // What made room is stopped, and is started again by whoever undoes this.
          one.drain_until === null
            ? { state: 'held' }
            : { state: 'serving', drain_until: null, drained_by: null },
        )
    }
    await publishAsBefore(attempt, trx, now.replaced_release_id)
    await changeApplication(trx, workspace_id, application_id, {
      release_id: now.replaced_release_id,
      wanted: now.replaced_wanted ?? 'running',
    })
    await nudge(trx, workspace_id, 'application.changed', application_id)
    return (await updateDeployment(trx, workspace_id, id, { switched_at: null })) ?? now
  })
  return true
}

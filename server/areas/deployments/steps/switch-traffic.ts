import { nudge } from '../../../events.ts'
import { allSettledOrThrow } from '../../../platform/async.ts'
import type { Trx } from '../../../tables.ts'
import { changeApplication } from '../../applications/application.ts'
import { type Instance, listInstances, updateInstance } from '../../applications/instance.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { startContainer, updateContainer, hasCompleted } from '../containers/containers.ts'
import { publishPorts, restorePublishedPorts } from '../containers/published-ports.ts'
import { isRouted } from '../containers/routed.ts'
import { isReplaced, serviceSpec } from '../containers/service-spec.ts'
import { restartPolicy } from '../containers/specification.ts'
import { slotAllocator } from '../networks/addresses.ts'
import { joinNewNetworks } from '../networks/move-networks.ts'
import { addAliases } from '../networks/network-aliases.ts'
import {
  type DeploymentRun,
  DeploymentCanceled,
  hostOfRun,
  listNewInstances,
  requireRelease,
  writeWithApplication,
} from '../run/deployment-run.ts'
import type { Deployment } from '../run/deployment.ts'
import { updateDeployment } from '../run/store.ts'
import { assertStillRunning, waitUntilAllHealthy } from './wait-until-healthy.ts'

/**
 * Switches traffic to the new containers at once. Repeats the health check after an interruption, because
 * containers may have exited since.
 */
export async function switchTraffic(attempt: DeploymentRun): Promise<void> {
  const { ctx, application, signal, deployment } = attempt
  const isStop = deployment.type === 'stop_application'
  if (!deployment.switched_at && !isStop) {
    // An interrupted attempt may have left a container out of a network that it needs.
    await addAliases(attempt)
    await joinNewNetworks(attempt)
    if (attempt.wasInterrupted) await waitUntilAllHealthy(attempt)
  }
  // The proxy must also release the published ports of the old release.
  const wasRouted = isRouted(ctx.db, application)
  await allSettledOrThrow([
    commitWhenReady(attempt, wasRouted),
    ...(isStop ? [] : [applyRestartPolicies(attempt)]),
  ])
  if ((await wasRouted) || (await isRouted(ctx.db, application))) await syncProxy(ctx, attempt.server, signal)
}

async function commitWhenReady(attempt: DeploymentRun, looked: Promise<unknown>): Promise<void> {
  const { deployment, stepEntered } = attempt
  const isAwaited = !deployment.switched_at && deployment.type !== 'stop_application'
  await allSettledOrThrow([stepEntered, looked, ...(isAwaited ? [assertStillRunning(attempt)] : [])])
  if (!deployment.switched_at) await commitSwitch(attempt)
}

/**
 * Applies the restart policies before the proxy sends traffic. Idempotent: an earlier attempt may have been
 * interrupted and the server restarted.
 */
async function applyRestartPolicies(attempt: DeploymentRun): Promise<void> {
  const { docker } = hostOfRun(attempt)
  const instances = await listNewInstances(attempt)
  await allSettledOrThrow(
    instances.map(async ({ id: instance, container_id: id, service }) => {
      const part = serviceSpec(requireRelease(attempt), service)
      if (await hasCompleted(docker, part, id ?? '')) return
      // Docker restarts optional containers that are unhealthy.
      const isUnhealthy = attempt.unhealthy.has(instance) && part.restart !== 'no'
      await updateContainer(docker, id ?? '', restartPolicy(part))
      // Started after the policy is set: a container that exits before would stay down.
      if (attempt.wasInterrupted || isUnhealthy) await startContainer(docker, id ?? '')
    }),
  )
}

/** Commits the switch; the deployment cannot be canceled afterwards. */
async function commitSwitch(attempt: DeploymentRun): Promise<void> {
  const { ctx, deployment } = attempt
  const { workspace_id, application_id } = deployment
  const release = requireRelease(attempt)
  const isStop = deployment.type === 'stop_application'
  attempt.deployment = await writeWithApplication(attempt, async (trx, now, application) => {
    if (now.cancel_requested_at) throw new DeploymentCanceled()
    const all = await listInstances(trx, workspace_id, application_id)
    const drain_until = new Date(ctx.now().getTime() + release.config.drain_seconds * 1_000)
    for (const one of all)
      if (isReplacedInstance(deployment, one))
        await updateInstance(trx, workspace_id, one.id, {
          state: 'draining',
          // Held containers are already stopped.
          drain_until: one.state === 'held' ? null : drain_until,
          drained_by: deployment.id,
        })
    if (!isStop) await assignSlots(trx, deployment.id, all)
    if (!isStop) await publishPorts(attempt, trx, release)
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

const isReplacedInstance = (deployment: Deployment, { state, service, deployment_id }: Instance) =>
  (state === 'serving' || state === 'held') &&
  deployment_id !== deployment.id &&
  isReplaced(deployment, service)

/** Assigns each instance a free slot of the proxy. */
async function assignSlots(
  trx: Trx,
  deployment: DeploymentRun['deployment']['id'],
  all: Instance[],
): Promise<void> {
  const nextSlot = slotAllocator(all)
  for (const one of all.filter(({ deployment_id }) => deployment_id === deployment)) {
    if (one.address === null) {
      await updateInstance(trx, one.workspace_id, one.id, { state: 'serving' })
      continue
    }
    await updateInstance(trx, one.workspace_id, one.id, { state: 'serving', slot: nextSlot() })
  }
}

/**
 * Restores the previous release after the proxy rejected the switch. Returns whether there was a switch to
 * revert.
 */
export async function revertSwitch(attempt: DeploymentRun): Promise<boolean> {
  const { workspace_id, application_id, id } = attempt.deployment
  if (!attempt.deployment.switched_at) return false
  attempt.deployment = await writeWithApplication(attempt, async (trx, now) => {
    for (const one of await listInstances(trx, workspace_id, application_id)) {
      if (one.deployment_id === id)
        await updateInstance(trx, workspace_id, one.id, { state: 'starting', slot: null })
      else if (one.state === 'draining' && one.drained_by === id)
        await updateInstance(
          trx,
          workspace_id,
          one.id,
          // Held containers are restarted by the revert.
          one.drain_until === null
            ? { state: 'held' }
            : { state: 'serving', drain_until: null, drained_by: null },
        )
    }
    await restorePublishedPorts(attempt, trx, now.replaced_release_id)
    await changeApplication(trx, workspace_id, application_id, {
      release_id: now.replaced_release_id,
      wanted: now.replaced_wanted ?? 'running',
    })
    await nudge(trx, workspace_id, 'application.changed', application_id)
    return (await updateDeployment(trx, workspace_id, id, { switched_at: null })) ?? now
  })
  return true
}

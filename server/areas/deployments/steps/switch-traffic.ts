import { nudge } from '../../../events.ts'
import { allSettledOrThrow } from '../../../platform/async.ts'
import type { Trx } from '../../../tables.ts'
import { changeApplication } from '../../applications/application.ts'
import { type Instance, listInstances, updateInstance } from '../../applications/instance.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { publishPorts, restorePublishedPorts } from '../containers/published-ports.ts'
import { isRouted } from '../containers/route-targets.ts'
import { isReplaced, serviceSpec, restartPolicy } from '../containers/specification.ts'
import { addAliases, joinProjectNetwork } from '../networks/join-networks.ts'
import {
  type DeploymentRun,
  DeploymentCanceled,
  type ReleaseRun,
  reloadDeployment,
  toRunScope,
  getRunHost,
  listNewInstances,
  writeWithApplication,
} from '../run/deployment-run.ts'
import { updateDeployment } from '../run/deployment.ts'
import { assertStillRunning, waitUntilAllHealthy } from './wait-until-healthy.ts'
import { hasContainerCompleted, startContainer, updateContainer } from '../../containers/docker-container.ts'

/**
 * The cutover of a deployment without downtime. Repeats the health check after an interruption: containers may have
 * exited since.
 */
export async function switchTraffic(run: ReleaseRun): Promise<void> {
  // An earlier try of the step may have committed the switch before the proxy was unreachable.
  const isCommitted = (await reloadDeployment(run)).switched_at !== null
  if (!isCommitted) {
    // An interrupted attempt may have left a container out of a network that it needs.
    const isReachedByName = (await listNewInstances(run)).some(
      ({ project_network }) => project_network !== null,
    )
    if (run.model || isReachedByName) await addAliases(run)
    if (run.model) await joinProjectNetwork(run)
    if (run.interruption.occurred) await waitUntilAllHealthy(run)
  }
  await syncProxyAround(run, async (wasRouted) => {
    const goLive = async () => {
      await allSettledOrThrow([run.stepEntered, wasRouted, ...(isCommitted ? [] : [assertStillRunning(run)])])
      await commitSwitch(run, (trx, all) => putIntoService(run, trx, all))
    }
    await allSettledOrThrow([goLive(), applyRestartPolicies(run)])
  })
}

export async function stopTraffic(run: ReleaseRun): Promise<void> {
  await syncProxyAround(run, async (wasRouted) => {
    await allSettledOrThrow([run.stepEntered, wasRouted])
    await commitSwitch(run, async () => ({ wanted: 'stopped' }))
  })
}

/** The proxy must also release the published ports of the old release. */
async function syncProxyAround(
  run: ReleaseRun,
  work: (wasRouted: Promise<boolean>) => Promise<void>,
): Promise<void> {
  const { ctx, application, signal } = run
  const wasRouted = isRouted(ctx.db, application)
  await work(wasRouted)
  if ((await wasRouted) || (await isRouted(ctx.db, application))) await syncProxy(ctx, run.server(), signal)
}

/** Idempotent: an earlier attempt may have been interrupted and the server restarted. */
async function applyRestartPolicies(run: ReleaseRun): Promise<void> {
  const { docker } = getRunHost(run)
  const instances = await listNewInstances(run)
  await allSettledOrThrow(
    instances.map(async ({ id: instance, container_id: id, service }) => {
      const part = serviceSpec(run.release, service)
      if (await hasContainerCompleted(docker, part, id ?? '')) return
      const isUnhealthy = run.unhealthy.has(instance) && part.restart !== 'no'
      await updateContainer(docker, id ?? '', restartPolicy(part))
      // Start after the policy is set: a container that exited before that would stay down.
      if (run.interruption.occurred || isUnhealthy) await startContainer(docker, id ?? '')
    }),
  )
}

function commitSwitch(
  run: ReleaseRun,
  change: (trx: Trx, all: Instance[]) => Promise<Parameters<typeof changeApplication>[3]>,
): Promise<void> {
  const { ctx, deployment, release } = run
  const { workspace_id, application_id } = deployment
  return writeWithApplication(run, async (trx, now, application) => {
    if (now.switched_at) return
    if (now.cancel_requested_at) throw new DeploymentCanceled()
    const all = await listInstances(trx, workspace_id, application_id)
    const drain_until = new Date(ctx.now().getTime() + release.config.drain_seconds * 1_000)
    for (const one of all)
      if (isReplacedInstance(run, one))
        await updateInstance(trx, workspace_id, one.id, {
          state: 'draining',
          // Held containers are already stopped.
          drain_until: one.state === 'held' ? null : drain_until,
          drained_by: deployment.id,
        })
    await changeApplication(trx, workspace_id, application_id, await change(trx, all))
    await nudge(trx, workspace_id, 'application.changed', application_id)
    await updateDeployment(trx, workspace_id, deployment.id, {
      switched_at: ctx.now(),
      replaced_release_id: application.release_id,
      replaced_wanted: application.wanted,
    })
  })
}

async function putIntoService(run: ReleaseRun, trx: Trx, all: Instance[]) {
  await assignSlots(trx, run.deployment.id, all)
  if (run.release.config.services) await publishPorts(toRunScope(run), trx, run.release)
  return { wanted: 'running' as const, release_id: run.release.id }
}

const isReplacedInstance = (run: ReleaseRun, { state, service, deployment_id }: Instance) =>
  (state === 'serving' || state === 'held') && deployment_id !== run.deployment.id && isReplaced(run, service)

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

function slotAllocator(instances: readonly Pick<Instance, 'slot'>[]): () => number {
  const taken = new Set(instances.map(({ slot }) => slot))
  let next = 1
  return () => {
    while (taken.has(next)) next++
    taken.add(next)
    return next
  }
}

/** Undoes the switch in the database, for a failure after it. Returns whether traffic had been switched. */
export async function revertSwitch(run: DeploymentRun): Promise<boolean> {
  const { workspace_id, application_id, id } = run.deployment
  if (!(await reloadDeployment(run)).switched_at) return false
  await writeWithApplication(run, async (trx, now) => {
    for (const one of await listInstances(trx, workspace_id, application_id)) {
      if (one.deployment_id === id)
        await updateInstance(trx, workspace_id, one.id, { state: 'starting', slot: null })
      else if (one.state === 'draining' && one.drained_by === id)
        await updateInstance(
          trx,
          workspace_id,
          one.id,
          // The revert restarts held containers.
          one.drain_until === null
            ? { state: 'held' }
            : { state: 'serving', drain_until: null, drained_by: null },
        )
    }
    await restorePublishedPorts(run, trx, now.replaced_release_id)
    await changeApplication(trx, workspace_id, application_id, {
      release_id: now.replaced_release_id,
      wanted: now.replaced_wanted ?? 'running',
    })
    await nudge(trx, workspace_id, 'application.changed', application_id)
    await updateDeployment(trx, workspace_id, id, { switched_at: null })
  })
  return true
}

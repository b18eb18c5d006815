import { formatCount } from '../../../../contract/shared/format-list.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Instance, listInstances } from '../../applications/instance.ts'
import {
  countOpenRequests,
  isDrained,
  removeOrKeepStopped,
  type OpenConnections,
} from '../cleanup/remove-instances.ts'
import { restoreStopped } from '../cleanup/stop-to-make-room.ts'
import { type DeploymentRun, toRunScope } from '../run/deployment-run.ts'
import { type Deployment, isSuccessorWaiting } from '../run/deployment.ts'

const [minDelay, maxDelay] = [50, 1_000]

/** Waits until old containers have no open requests, then stops them with SIGTERM and their grace period (`StopTimeout`). */
export async function drainOldContainers(run: DeploymentRun): Promise<void> {
  const { ctx, application, log, signal } = run
  let isLogged = false
  for (let delay = minDelay; ; delay = Math.min(delay * 1.5, maxDelay)) {
    signal.throwIfAborted()
    const { left, open } = await removeDrained(run, await listDraining(run))
    if (left.length === 0) return
    if (await isSuccessorWaiting(ctx.db, application.workspace_id, application.id)) {
      log.write('A newer deployment is waiting and will finish draining the old containers.')
      return
    }
    const isOpen = left.some(({ id }) => (open.get(id) ?? 0) > 0)
    if (isOpen && !isLogged) log.write(openRequestsLine(run, left, open))
    isLogged ||= isOpen
    await sleep(delay, undefined, { signal })
  }
}

async function listDraining({ ctx, deployment }: DeploymentRun): Promise<Instance[]> {
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  const left = deployment.type === 'stop_application' ? ['starting'] : ['starting', 'stopped']
  return all.filter(
    (instance) =>
      instance.state === 'draining' ||
      (instance.deployment_id !== deployment.id && left.includes(instance.state)),
  )
}

export async function drainEarlierContainers(run: DeploymentRun): Promise<void> {
  const { ctx, deployment } = run
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  await removeDrained(
    run,
    all.filter(({ state }) => state === 'draining'),
  )
}

/** Restarts containers that an interrupted deployment stopped, before this one is planned. */
export async function restoreEarlierContainers(run: DeploymentRun): Promise<void> {
  const { ctx, deployment } = run
  if (deployment.type === 'stop_application') return
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  const held = all.filter((instance) => instance.state === 'held' && instance.drained_by !== deployment.id)
  if (held.length === 0) return
  await run.stepEntered
  const given = toRunScope(run)
  // Remove the replacements first: they may hold the names, addresses or files of the held containers.
  const left = all.filter(
    (instance) => instance.state === 'starting' && instance.deployment_id !== deployment.id,
  )
  await removeOrKeepStopped(given, left)
  await restoreStopped(given, held)
}

async function removeDrained(
  run: DeploymentRun,
  going: Instance[],
): Promise<{ left: Instance[]; open: OpenConnections }> {
  if (going.length === 0) return { left: [], open: new Map() }
  const open = await countOpenRequests(toRunScope(run), going)
  const now = run.ctx.now()
  const ready = going.filter((instance) => isDrained(instance, open, now))
  if (ready.length > 0) await removeAndLog(run, ready)
  return { left: going.filter((instance) => !ready.includes(instance)), open }
}

async function removeAndLog(run: DeploymentRun, instances: Instance[]): Promise<void> {
  await run.stepEntered
  await removeOrKeepStopped(toRunScope(run), instances)
  run.log.write(removedContainersMessage(run.deployment, instances))
}

function openRequestsLine(
  { ctx, deployment }: DeploymentRun,
  going: Instance[],
  open: OpenConnections,
): string {
  const count = going.reduce((sum, { id }) => sum + (open.get(id) ?? 0), 0)
  const until = Math.max(...going.map(({ drain_until }) => drain_until?.getTime() ?? 0))
  return openRequestsMessage(deployment, count, Math.max(0, Math.ceil((until - ctx.now().getTime()) / 1_000)))
}

type DeploymentRef = Pick<Deployment, 'id' | 'type'>

export function removedContainersMessage(
  { id, type }: DeploymentRef,
  instances: Pick<Instance, 'state' | 'drained_by'>[],
): string {
  const one = instances.length === 1
  const subject = one ? 'container' : 'containers'
  if (instances.every(({ state }) => state === 'stopped')) return `Removed the stopped ${subject}`
  if (instances.every(({ drained_by }) => drained_by !== id))
    return one
      ? 'Removed 1 container of an earlier deployment'
      : `Removed ${instances.length} containers of earlier deployments`
  if (type === 'stop_application') return one ? 'Container stopped' : `${instances.length} containers stopped`
  return one ? 'Old container drained' : `${instances.length} old containers drained`
}

export function openRequestsMessage(
  { type }: Pick<DeploymentRef, 'type'>,
  count: number,
  seconds: number,
): string {
  const open = formatCount(count, 'open request')
  return type === 'stop_application'
    ? `Waiting up to ${seconds} s for ${open} before the containers stop`
    : `Waiting up to ${seconds} s for ${open} on the old containers`
}

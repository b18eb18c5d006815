import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { nudge } from '../../../events.ts'
import type { Docker } from '../../../remote/host.ts'
import type { Trx } from '../../../tables.ts'
import { type Instance, listInstances, updateInstance } from '../../applications/instance.ts'
import { findRelease, openReleaseCompose, findReleases } from '../../applications/release.ts'
import { hasResourceConflict, takesOverResources } from '../../compose/rolling-update-blockers.ts'
import type { Model, Service } from '../../compose/model.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { isRouted } from '../containers/route-targets.ts'
import {
  serviceSpec,
  plannedAction,
  isReplaced,
  type ServiceSpec,
  restartPolicy,
} from '../containers/specification.ts'
import { type ReleaseRun, getRunHost, toRunScope, writeWithLease } from '../run/deployment-run.ts'
import { countOpenRequests, type RemovalContext, inStopOrder } from './remove-instances.ts'
import {
  containerName,
  exitedSuccessfully,
  findInspection,
  renameContainer,
  startContainer,
  stopContainer,
  updateContainer,
} from '../../containers/docker-container.ts'

const pollDelay = 100

/** Keeps the stopped containers, to restart them if the replacement fails. Idempotent. */
export async function stopToMakeRoom(run: ReleaseRun, service: string): Promise<void> {
  const { docker } = getRunHost(run)
  const held = await writeWithLease(run, (trx) => markHeld(run, trx, service))
  if (held.length === 0) return
  run.log.write(
    `Stopping the old ${service === '' ? 'container' : `container of ${service}`} before the new one starts`,
  )
  await syncProxyIfRouted(toRunScope(run), run.signal)
  await waitForOpenRequests(run, held)
  await Promise.all(
    held.map(async (instance) => {
      const id = instance.container_id
      if (!id) return
      await updateContainer(docker, id, { RestartPolicy: { Name: 'no' } })
      await releaseContainerName(docker, instance)
      await stopContainer(docker, id)
    }),
  )
}

async function markHeld(run: ReleaseRun, trx: Trx, service: string): Promise<Instance[]> {
  const { ctx, deployment } = run
  const { workspace_id, application_id, id } = deployment
  const drain_until = new Date(ctx.now().getTime() + run.release.config.drain_seconds * 1_000)
  const held: Instance[] = []
  for (const one of await listInstances(trx, workspace_id, application_id)) {
    if (one.service !== service || one.deployment_id === id) continue
    if (one.state === 'held' && one.drained_by === id) held.push(one)
    if (one.state !== 'serving' && (one.state !== 'held' || one.drained_by === id)) continue
    const now = await updateInstance(trx, workspace_id, one.id, {
      state: 'held',
      drained_by: id,
      drain_until,
    })
    if (now) held.push(now)
  }
  await nudge(trx, workspace_id, 'application.changed', application_id)
  return held
}

async function waitForOpenRequests(run: ReleaseRun, held: Instance[]): Promise<void> {
  const { ctx, signal } = run
  const until = Math.max(...held.map(({ drain_until }) => drain_until?.getTime() ?? 0))
  while (ctx.now().getTime() < until) {
    const open = await countOpenRequests(toRunScope(run), held)
    if (held.every(({ id }) => (open.get(id) ?? 0) === 0)) return
    await sleep(pollDelay, undefined, { signal })
  }
}

type ContainerRef = Pick<Instance, 'id' | 'container_id'>

/** Name suffixes that record whether the container was running. The instance ID makes them unique. */
const nameSuffixes = ({ id }: ContainerRef) => ({ ran: `-held-${id}`, ended: `-ended-${id}` })

const findSuffix = (name: string, one: ContainerRef) =>
  Object.values(nameSuffixes(one)).find((end) => name.endsWith(end))

async function releaseContainerName(docker: Docker, one: ContainerRef): Promise<void> {
  const found = one.container_id && (await findInspection(docker, one.container_id))
  if (!found || findSuffix(containerName(found), one)) return
  const { ran, ended } = nameSuffixes(one)
  await renameContainer(docker, found.Id, `${containerName(found)}${exitedSuccessfully(found) ? ended : ran}`)
}

export async function restoreContainerName(docker: Docker, one: ContainerRef): Promise<boolean> {
  const found = one.container_id && (await findInspection(docker, one.container_id))
  const aside = found && findSuffix(containerName(found), one)
  if (!aside) return false
  const isEnded = aside === nameSuffixes(one).ended
  await renameContainer(docker, found.Id, containerName(found).slice(0, -aside.length))
  return isEnded
}

export async function restoreStopped(given: RemovalContext, held: Instance[]): Promise<void> {
  if (held.length === 0) return
  const { ctx, application, server, write } = given
  const { docker } = getServerHost(ctx, server)
  for (const together of (await inStopOrder(ctx, held)).toReversed())
    await Promise.all(together.map((instance) => restartHeld(ctx, docker, instance)))
  await write(async (trx) => {
    for (const { workspace_id, id } of held)
      await updateInstance(trx, workspace_id, id, { state: 'serving', drained_by: null, drain_until: null })
    await nudge(trx, application.workspace_id, 'application.changed', application.id)
  })
  await syncProxyIfRouted(given)
}

async function restartHeld({ db }: Context, docker: Docker, one: Instance): Promise<void> {
  const id = one.container_id
  if (!id) return
  // Containers that completed are not run again.
  if (await restoreContainerName(docker, one)) return
  await startContainer(docker, id)
  const release = await findRelease(db, one.workspace_id, one.release_id)
  if (release) await updateContainer(docker, id, restartPolicy(serviceSpec(release, one.service)))
}

async function syncProxyIfRouted(
  { ctx, application, server }: Pick<RemovalContext, 'ctx' | 'application' | 'server'>,
  signal?: AbortSignal,
): Promise<void> {
  if (await isRouted(ctx.db, application)) await syncProxy(ctx, server, signal)
}

export async function stopConflictingServices(
  run: ReleaseRun,
  parts: ServiceSpec[],
  model: Model,
): Promise<void> {
  const others = await listReplacedServices(run)
  const wanted = parts.map(({ service: name }) => ({ name, model, service: model.services[name] ?? {} }))
  const inTheWay = others.filter((other) =>
    wanted.some(
      (one) =>
        one.name !== other.name &&
        (hasResourceConflict(one, other) ||
          (plannedAction(run, other.name) === 'removed' && takesOverResources(one, other))),
    ),
  )
  for (const name of new Set(inTheWay.map((one) => one.name))) await stopToMakeRoom(run, name)
  for (const { service } of wanted)
    if (service.container_name !== undefined) await freeName(run, service.container_name)
}

interface ReplacedService {
  name: string
  service: Service
  model: Model
}

async function listReplacedServices(run: ReleaseRun): Promise<ReplacedService[]> {
  const { ctx, deployment, application } = run
  const { workspace_id, id } = application
  const conflicting = (await listInstances(ctx.db, workspace_id, id)).filter(
    ({ state, service, deployment_id }) =>
      (state === 'serving' || state === 'held') &&
      deployment_id !== deployment.id &&
      isReplaced(run, service),
  )
  const ids = conflicting.map(({ release_id }) => release_id)
  const releases = new Map(
    (await findReleases(ctx.db, workspace_id, ids)).map((release) => [release.id, release]),
  )
  return conflicting.flatMap(({ service: name, release_id }) => {
    const release = releases.get(release_id)
    const model = release && openReleaseCompose(ctx, release)?.model
    const service = model?.services[name]
    return model && service ? [{ name, service, model }] : []
  })
}

/** Stopped and draining containers keep their names until another needs them. */
async function freeName(run: ReleaseRun, name: string): Promise<void> {
  const { ctx, application } = run
  const { docker } = getRunHost(run)
  const inspection = await findInspection(docker, name, run.signal)
  if (!inspection || containerName(inspection) !== name) return
  const all = await listInstances(ctx.db, application.workspace_id, application.id)
  const isPast = ({ state }: Instance) => state === 'stopped' || state === 'draining'
  for (const one of all)
    if (one.container_id === inspection.Id && isPast(one)) await releaseContainerName(docker, one)
}

import type { Context } from '../../../context.ts'
import type { Docker } from '../../../remote/host.ts'
import type { Trx } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import {
  deleteInstance,
  type Instance,
  listInstances,
  updateInstance,
  belongsToInstance,
  listManagedContainers,
} from '../../applications/instance.ts'
import { findReleases, openReleaseCompose } from '../../applications/release.ts'
import { type Model, UnsupportedCompose } from '../../compose/model.ts'
import { startWaves } from '../../compose/start-order.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { countOpenConnections } from '../../proxies/count-open-connections.ts'
import { saveContainerLog } from '../../saved-logs/saved-log.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { releasePorts } from '../containers/published-ports.ts'
import { isRouted } from '../containers/route-targets.ts'
import { removeContainer, stopContainer, updateContainer } from '../../containers/docker-container.ts'

export interface RemovalContext {
  ctx: Context
  server: ServerRow
  application: ApplicationRow
  write: (work: (trx: Trx) => Promise<void>) => Promise<void>
}

const removeInstances = (given: RemovalContext, instances: Instance[]) =>
  stopAndSave(given, instances, async (docker, id, instance) => {
    // Containers without traffic need no graceful stop.
    if (instance.state !== 'starting') await stopContainer(docker, id)
    await saveContainerLog(given.ctx, given.server, given.application, instance, id)
    await removeContainer(docker, id, { volumes: instance.state === 'starting' })
  })

const stopInstances = (given: RemovalContext, instances: Instance[]) =>
  stopAndSave(given, instances, async (docker, id) => {
    await updateContainer(docker, id, { RestartPolicy: { Name: 'no' } })
    await stopContainer(docker, id)
    return 'stopped'
  })

async function stopAndSave(
  given: RemovalContext,
  instances: Instance[],
  act: (docker: Docker, id: string, instance: Instance) => Promise<'stopped' | void>,
): Promise<void> {
  const { ctx, server, application, write } = given
  const removable = await leaveProxy(given, instances)
  const { docker } = getServerHost(ctx, server)
  const made = await listManagedContainers(docker, application.id)
  const kept = new Set<Instance['id']>()
  const endOne = async (one: Instance) => {
    for (const { id } of made.filter((container) => belongsToInstance(container, one)))
      if ((await act(docker, id, one)) === 'stopped') kept.add(one.id)
    return one
  }
  const ended: PromiseSettledResult<Instance>[] = []
  for (const together of await inStopOrder(ctx, removable))
    ended.push(...(await Promise.allSettled(together.map(endOne))))
  await write(async (trx) => {
    for (const one of ended) {
      if (one.status === 'rejected') continue
      const { workspace_id, id } = one.value
      if (kept.has(id)) await updateInstance(trx, workspace_id, id, { state: 'stopped', drain_until: null })
      else await deleteInstance(trx, workspace_id, id)
    }
  })
  const failed = ended.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Frees the proxy slots before the containers are removed, because another container may get their addresses. Skips
 * instances whose state changed: another worker may use them again.
 */
async function leaveProxy(
  { ctx, server, application, write }: RemovalContext,
  instances: Instance[],
): Promise<Instance[]> {
  const { workspace_id, id } = application
  let going: Instance[] = []
  await write(async (trx) => {
    going = []
    for (const now of await listInstances(trx, workspace_id, id)) {
      if (!instances.some((instance) => instance.id === now.id && instance.state === now.state)) continue
      going.push(now)
      if (now.slot !== null) await updateInstance(trx, workspace_id, now.id, { slot: null })
    }
  })
  if (going.some(({ slot }) => slot !== null) && (await isRouted(ctx.db, application)))
    await syncProxy(ctx, server)
  return going
}

export type OpenConnections = ReadonlyMap<Instance['id'], number>

export const countOpenRequests = async (of: DrainContext, going: Instance[]): Promise<OpenConnections> =>
  (await isRouted(of.ctx.db, of.application)) || (await wasPublished(of, going))
    ? countOpenConnections(of.ctx, of.server)
    : new Map()

type DrainContext = Pick<RemovalContext, 'ctx' | 'server' | 'application'>

/** The old release may have published ports with open connections. */
async function wasPublished({ ctx, application }: DrainContext, going: Instance[]): Promise<boolean> {
  if (application.compose_sealed === null || going.length === 0) return false
  const ids = going.map(({ release_id }) => release_id)
  const releases = await findReleases(ctx.db, application.workspace_id, ids)
  return releases.some((release) => (releasePorts(release) ?? []).length > 0)
}

export const isDrained = (one: Instance, open: OpenConnections, now: Date) =>
  one.state !== 'draining' || (open.get(one.id) ?? 0) === 0 || drainTimedOut(one, now)

const drainTimedOut = ({ drain_until }: Instance, now: Date) => drain_until !== null && drain_until <= now

async function listStopDeployments({ ctx, application }: RemovalContext): Promise<Set<string | null>> {
  const rows = await ctx.db
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', application.workspace_id)
    .where('application_id', '=', application.id)
    .where('type', '=', 'stop_application')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function removeOrKeepStopped(given: RemovalContext, instances: Instance[]): Promise<void> {
  const stopped =
    given.application.wanted === 'stopped' ? await listStopDeployments(given) : new Set<string | null>()
  const stays = (one: Instance) => one.state === 'draining' && stopped.has(one.drained_by)
  const staying = instances.filter(stays)
  if (staying.length > 0) await stopInstances(given, staying)
  if (staying.length < instances.length)
    await removeInstances(
      given,
      instances.filter((instance) => !stays(instance)),
    )
}

export async function inStopOrder(ctx: Context, instances: Instance[]): Promise<Instance[][]> {
  const names = new Set(instances.map(({ service }) => service))
  if (names.size < 2) return [instances]
  const waves = wavesIn(await modelOf(ctx, instances), names)
  return waves.toReversed().map((wave) => instances.filter(({ service }) => wave.includes(service)))
}

async function modelOf(ctx: Context, instances: Instance[]): Promise<Model> {
  const [first] = instances
  const ids = instances.map(({ release_id }) => release_id)
  const releases = first ? await findReleases(ctx.db, first.workspace_id, ids) : []
  const models = releases.flatMap((release) => openReleaseCompose(ctx, release)?.model ?? [])
  const services = Object.assign({}, ...models.map((model) => model.services))
  return { services, networks: {}, volumes: {}, secrets: {}, configs: {} }
}

/** Two releases together may have a dependency cycle; then all services stop together. */
function wavesIn(model: Model, names: ReadonlySet<string>): string[][] {
  try {
    return startWaves(model, names)
  } catch (error) {
    if (error instanceof UnsupportedCompose) return [[...names]]
    throw error
  }
}

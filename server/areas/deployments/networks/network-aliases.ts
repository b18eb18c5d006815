import type { Id } from '../../../../contract/shared/ids.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { type Instance, instanceLabels, listInstances } from '../../applications/instance.ts'
import { type Release, openReleaseCompose, findReleases } from '../../applications/release.ts'
import { type Endpoint, networkEndpoints } from '../../compose/endpoints.ts'
import type { Model } from '../../compose/model.ts'
import { type ContainerInspection, findInspection } from '../../containers/inspect.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { RemovalContext } from '../cleanup/remove-instances.ts'
import { joinNetwork, leaveNetwork, pauseContainer, unpauseContainer } from '../containers/containers.ts'
import { serviceSpec, plannedAction, imageEndpoints } from '../containers/specification.ts'
import { type ReleaseRun, getRunHost, listNewInstances } from '../run/deployment-run.ts'
import { isTransientDockerError } from '../run/step.ts'
import { rangeLabel } from './network-definition.ts'

interface AliasTarget {
  application: { id: Id<'application'>; slug: string }
  release: Release
  instance: Instance
  model: Model | undefined
  /** Whether to set the aliases. */
  named: boolean
}

/** Finds networks where the aliases are wrong or the container is missing. */
function endpointsToRejoin(
  { NetworkSettings: { Networks: there } }: ContainerInspection,
  naming: AliasTarget,
): Endpoint[] {
  const named = endpointsFor({ ...naming, named: true })
  return endpointsFor(naming).filter(({ network, config }, at) => {
    const now = there?.[network]
    const wanted = config.Aliases ?? []
    const all = named[at]?.config.Aliases ?? []
    return !now || all.some((name) => wanted.includes(name) !== (now.Aliases?.includes(name) ?? false))
  })
}

function endpointsFor({ application, release, instance, model, named }: AliasTarget): Endpoint[] {
  if (!model) return imageEndpoints({ application, instance, named })
  const name = instance.service
  const imageId = serviceSpec(release, name).image_id
  return networkEndpoints({ application, release, instance, name, model, imageId, named, containers: {} })
}

/**
 * Docker sets aliases only when a container joins, so it leaves and rejoins with the same address; open
 * connections survive.
 */
async function rejoinNetworks(
  docker: Docker,
  { Id: id, NetworkSettings: { Networks: there } }: ContainerInspection,
  endpoints: Endpoint[],
): Promise<void> {
  for (const { network, config } of endpoints) {
    const now = there?.[network]
    const kept = now ? await addressesToKeep(docker, network, now) : {}
    if (now) await leaveNetwork(docker, { id, network })
    await joinNetwork(docker, {
      id,
      network,
      config: { ...config, IPAMConfig: { ...config.IPAMConfig, ...kept } },
    })
  }
}

interface ExistingNetworkIpam {
  Labels: Record<string, string> | null
  IPAM: { Config: { Subnet?: string }[] | null } | null
}

/** Docker assigns fixed addresses only in networks with a configured subnet. */
async function addressesToKeep(
  docker: Docker,
  network: string,
  { IPAddress: v4, GlobalIPv6Address: v6 }: { IPAddress: string; GlobalIPv6Address: string },
) {
  const path = `/networks/${encodeURIComponent(network)}`
  const { Labels: labels, IPAM: ipam } = await docker.json<ExistingNetworkIpam>({ path })
  if (!labels?.[rangeLabel] && !labels?.[instanceLabels.application]) return {}
  const hasV6 = ipam?.Config?.some(({ Subnet }) => Subnet?.includes(':'))
  return { ...(v4 && { IPv4Address: v4 }), ...(v6 && hasV6 && { IPv6Address: v6 }) }
}

/** Adds the network aliases now that the containers are healthy. Idempotent. */
export async function addAliases(run: ReleaseRun): Promise<void> {
  const own = await listNewInstances(run)
  const nameless = own.filter(
    ({ service, project_network }) =>
      (run.model !== undefined || project_network !== null) && plannedAction(run, service) === 'rolled',
  )
  if (nameless.length === 0) return
  await run.stepEntered
  await Promise.all(nameless.map((one) => addAliasesTo(run, one)))
}

async function addAliasesTo(run: ReleaseRun, instance: Instance): Promise<void> {
  const { application, release, model } = run
  const { docker } = getRunHost(run)
  const found = await findInspection(docker, instance.container_id ?? '', run.signal)
  if (!found) return
  await rejoinNetworks(
    docker,
    found,
    endpointsToRejoin(found, { application, release, instance, model, named: true }),
  )
}

/**
 * Removes the network aliases of replaced containers, so that other services reach only the new ones; open
 * connections stay. Idempotent. Returns the instances that lost their aliases now.
 */
export async function removeAliases(given: RemovalContext, going: Instance[]): Promise<Set<Instance['id']>> {
  const { ctx, application, server, write } = given
  const { workspace_id, id, compose_sealed } = application
  if (compose_sealed === null && going.every(({ project_network }) => project_network === null))
    return new Set()
  const all = await listInstances(ctx.db, workspace_id, id)
  const served = new Set(all.flatMap(({ state, service }) => (state === 'serving' ? [service] : [])))
  // Held containers are stopped and have no aliases.
  const old = going.filter(
    ({ state, service, drain_until }) => state === 'draining' && drain_until !== null && served.has(service),
  )
  if (old.length === 0) return new Set()
  // Checks the lease.
  await write(async () => {})
  const ids = old.map(({ release_id }) => release_id)
  const releases = new Map((await findReleases(ctx.db, workspace_id, ids)).map((one) => [one.id, one]))
  const { docker } = getServerHost(ctx, server)
  const taken = await Promise.all(
    old.map(async (one) => {
      const release = releases.get(one.release_id)
      return release && (await removeAliasesOf(given, docker, one, release)) ? [one.id] : []
    }),
  )
  return new Set(taken.flat())
}

async function removeAliasesOf(
  { ctx, application }: RemovalContext,
  docker: Docker,
  instance: Instance,
  release: Release,
): Promise<boolean> {
  const model = openReleaseCompose(ctx, release)?.model
  const found = await findInspection(docker, instance.container_id ?? '')
  if (!found || !['running', 'paused'].includes(found.State.Status)) return false
  const misnamed = endpointsToRejoin(found, { application, release, instance, model, named: false })
  // An interrupted attempt may have left it paused.
  if (misnamed.length === 0 && found.State.Status !== 'paused') return false
  await whilePaused(docker, found.Id, () => rejoinNetworks(docker, found, misnamed))
  return misnamed.length > 0
}

/** Pauses the container while it is out of its network, so that its own lookups do not fail. */
async function whilePaused(docker: Docker, id: string, work: () => Promise<void>): Promise<void> {
  await pauseContainer(docker, id)
  try {
    await work()
  } catch (error) {
    // The container is removed soon, so a rejected change must not block the drain.
    if (!(error instanceof DockerError) || isTransientDockerError(error)) throw error
  } finally {
    await unpauseContainer(docker, id)
  }
}

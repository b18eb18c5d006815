import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { composeOf, findReleases, type Release } from '../../applications/release.ts'
import { findInspection } from '../../containers/inspect.ts'
import { hostOf } from '../../servers/reach.ts'
import { pauseContainer, unpauseContainer } from '../containers/containers.ts'
import { isTransientDockerError } from '../run/retry-while-unreachable.ts'
import type { RemovalContext } from './remove-instances.ts'
import { rejoinNetworks, endpointsToRejoin } from '../networks/network-aliases.ts'

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
  const { docker } = hostOf(ctx, server)
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
  const model = composeOf(ctx, release)?.model
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

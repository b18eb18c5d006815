import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { composeOf, findReleases, type Release } from '../../applications/release.ts'
import { inspect } from '../../containers/inspect.ts'
import { hostOf } from '../../servers/reach.ts'
import { pauseContainer, unpauseContainer } from '../containers/containers.ts'
import { isPassing } from '../run/hold-out.ts'
import type { Retiring } from './retire.ts'
import { joinAnew, misnamedIn } from '../networks/set-names.ts'

/**
 * Other services find only those that serve by the name of their service: what they replaced loses it, and goes on with
 * what it has open. Safe to do again. Tells which have lost it now.
 */
export async function takeNames(given: Retiring, going: Instance[]): Promise<Set<Instance['id']>> {
  const { ctx, application, server, write } = given
  const { workspace_id, id, compose_sealed } = application
  if (compose_sealed === null && going.every(({ project_network }) => project_network === null))
    return new Set()
  const all = await listInstances(ctx.db, workspace_id, id)
  const served = new Set(all.flatMap(({ state, service }) => (state === 'serving' ? [service] : [])))
  // What made room is stopped, and nobody finds it.
  const old = going.filter(
    ({ state, service, drain_until }) => state === 'draining' && drain_until !== null && served.has(service),
  )
  if (old.length === 0) return new Set()
  // Whoever has lost the lease touches nothing.
  await write(async () => {})
  const ids = old.map(({ release_id }) => release_id)
  const releases = new Map((await findReleases(ctx.db, workspace_id, ids)).map((one) => [one.id, one]))
  const { docker } = hostOf(ctx, server)
  const taken = await Promise.all(
    old.map(async (one) => {
      const release = releases.get(one.release_id)
      return release && (await takeName(given, docker, one, release)) ? [one.id] : []
    }),
  )
  return new Set(taken.flat())
}

async function takeName(
  { ctx, application }: Retiring,
  docker: Docker,
  instance: Instance,
  release: Release,
): Promise<boolean> {
  const model = composeOf(ctx, release)?.model
  const found = await inspect(docker, instance.container_id ?? '')
  if (!found || !['running', 'paused'].includes(found.State.Status)) return false
  const misnamed = misnamedIn(found, { application, release, instance, model, named: false })
  // Whoever was cut off may have left it standing still.
  if (misnamed.length === 0 && found.State.Status !== 'paused') return false
  await whileStill(docker, found.Id, () => joinAnew(docker, found, misnamed))
  return misnamed.length > 0
}

/** In a network that it has left for a moment it would look for others in vain. What comes to it meanwhile waits. */
async function whileStill(docker: Docker, id: string, work: () => Promise<void>): Promise<void> {
  await pauseContainer(docker, id)
  try {
    await work()
  } catch (error) {
    // It is about to end: nobody is to wait for ever because Docker does not let go of its name.
    if (!(error instanceof DockerError) || isPassing(error)) throw error
  } finally {
    await unpauseContainer(docker, id)
  }
}

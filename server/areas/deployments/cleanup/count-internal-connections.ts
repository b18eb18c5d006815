import type { Instance } from '../../applications/instance.ts'
import { findInspection } from '../../containers/inspect.ts'
import { hostOf } from '../../servers/reach.ts'
import type { OpenConnections } from './remove-drained.ts'
import { countConnections, readSocketTables } from '../containers/listening.ts'
import type { RemovalContext } from './remove-instances.ts'

type DrainContext = Pick<RemovalContext, 'ctx' | 'server' | 'application'>

/**
 * Counts connections from other services and applications. Requests of visitors arrive over the network of
 * the proxy, which counts them itself. A stop needs no count: services stop before their dependencies.
 */
export async function countInternalConnections(
  { ctx, server, application }: DrainContext,
  going: Instance[],
): Promise<OpenConnections> {
  const isAlone =
    application.compose_sealed === null && going.every(({ project_network }) => project_network === null)
  if (isAlone || application.wanted === 'stopped') return new Map()
  const host = hostOf(ctx, server)
  const draining = going.filter(({ state, drain_until }) => state === 'draining' && drain_until !== null)
  const counted = draining.map(
    async ({ id, container_id, network: own }): Promise<[Instance['id'], number]> => {
      const found = await findInspection(host.docker, container_id ?? '')
      const addresses = Object.entries(found?.NetworkSettings.Networks ?? {}).flatMap(([network, of]) =>
        network !== own && of?.IPAddress ? [of.IPAddress] : [],
      )
      if (!found || addresses.length === 0 || found.State.Pid === 0) return [id, 0]
      return [id, countConnections(await readSocketTables(host, found.State.Pid), addresses)]
    },
  )
  return new Map(await Promise.all(counted))
}

import type { Instance } from '../../applications/instance.ts'
import { inspect } from '../../containers/inspect.ts'
import { hostOf } from '../../servers/reach.ts'
import type { Open } from './letting-go.ts'
import { countOpenAt, readTables } from '../containers/listening.ts'
import type { Retiring } from './retire.ts'

type Of = Pick<Retiring, 'ctx' | 'server' | 'application'>

/**
 * How many connections other services, and other applications of its project, have open to each of these. Those of visitors
 * come by the network in which the proxy reaches it, and the proxy knows them. Where all is stopped, each is stopped before what it depends on.
 */
export async function countInside({ ctx, server, application }: Of, going: Instance[]): Promise<Open> {
  const isAlone =
    application.compose_sealed === null && going.every(({ project_network }) => project_network === null)
  if (isAlone || application.wanted === 'stopped') return new Map()
  const host = hostOf(ctx, server)
  const draining = going.filter(({ state, drain_until }) => state === 'draining' && drain_until !== null)
  const counted = draining.map(
    async ({ id, container_id, network: own }): Promise<[Instance['id'], number]> => {
      const found = await inspect(host.docker, container_id ?? '')
      const addresses = Object.entries(found?.NetworkSettings.Networks ?? {}).flatMap(([network, of]) =>
        network !== own && of?.IPAddress ? [of.IPAddress] : [],
      )
      if (!found || addresses.length === 0 || found.State.Pid === 0) return [id, 0]
      return [id, countOpenAt(await readTables(host, found.State.Pid), addresses)]
    },
  )
  return new Map(await Promise.all(counted))
}

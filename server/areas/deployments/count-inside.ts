import type { Instance } from '../applications/instance.ts'
import { inspect } from '../containers/inspect.ts'
import { networkNameOf } from '../servers/network.ts'
import { hostOf } from '../servers/reach.ts'
import type { Open } from './letting-go.ts'
import { countOpenAt, readTables } from './listening.ts'
import type { Retiring } from './retire.ts'

type Of = Pick<Retiring, 'ctx' | 'server' | 'application'>

/**
 * How many connections other services have open to each of these, in the networks of the application. Those of visitors
 * come by Slipway's own, and the proxy knows them. Where all is stopped, each is stopped before what it depends on.
 */
export async function countInside({ ctx, server, application }: Of, going: Instance[]): Promise<Open> {
  if (application.compose_sealed === null || application.wanted === 'stopped') return new Map()
  const host = hostOf(ctx, server)
  const own = networkNameOf(application.server_id)
  const draining = going.filter(({ state, drain_until }) => state === 'draining' && drain_until !== null)
  const counted = draining.map(async ({ id, container_id }): Promise<[Instance['id'], number]> => {
    const found = await inspect(host.docker, container_id ?? '')
    const addresses = Object.entries(found?.NetworkSettings.Networks ?? {}).flatMap(([network, of]) =>
      network !== own && of?.IPAddress ? [of.IPAddress] : [],
    )
    if (!found || addresses.length === 0 || found.State.Pid === 0) return [id, 0]
    return [id, countOpenAt(await readTables(host, found.State.Pid), addresses)]
  })
  return new Map(await Promise.all(counted))
}

import type { Docker } from '../../../remote/host.ts'
import { type Instance, instanceLabels } from '../../applications/instance.ts'
import type { Release } from '../../applications/release.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import { type Endpoint, endpointsOf } from '../../compose/endpoints.ts'
import type { Model } from '../../compose/model.ts'
import type { Inspected } from '../../containers/inspect.ts'
import { joinNetwork, leaveNetwork } from '../containers/containers.ts'
import { rangeLabel } from './network-definition.ts'
import { partOf } from '../containers/part.ts'
import { imageEndpoints } from '../containers/specification.ts'

export interface Naming {
  application: { id: Id<'application'>; slug: string }
  release: Release
  instance: Instance
  /** Of a compose file. */
  model: Model | undefined
  /** Whether others are to find it. */
  named: boolean
}

/** The networks in which it is called otherwise than it is to be, or is not at all. */
export function misnamedIn({ NetworkSettings: { Networks: there } }: Inspected, naming: Naming): Endpoint[] {
  const named = endpointsFor({ ...naming, named: true })
  return endpointsFor(naming).filter(({ network, config }, at) => {
    const now = there?.[network]
    const wanted = config.Aliases ?? []
    const all = named[at]?.config.Aliases ?? []
    return !now || all.some((name) => wanted.includes(name) !== (now.Aliases?.includes(name) ?? false))
  })
}

function endpointsFor({ application, release, instance, model, named }: Naming): Endpoint[] {
  if (!model) return imageEndpoints({ application, instance, named })
  const name = instance.service
  const imageId = partOf(release, name).image_id
  return endpointsOf({ application, release, instance, name, model, imageId, named, containers: {} })
}

/** Docker takes names as a container joins a network, so it leaves and joins it again. At the same address: what it has open stays open. */
export async function joinAnew(
  docker: Docker,
  { Id: id, NetworkSettings: { Networks: there } }: Inspected,
  endpoints: Endpoint[],
): Promise<void> {
  for (const { network, config } of endpoints) {
    const now = there?.[network]
    const kept = now ? await addressesIn(docker, network, now) : {}
    if (now) await leaveNetwork(docker, { id, network })
    await joinNetwork(docker, {
      id,
      network,
      config: { ...config, IPAMConfig: { ...config.IPAMConfig, ...kept } },
    })
  }
}

interface Made {
  Labels: Record<string, string> | null
  IPAM: { Config: { Subnet?: string }[] | null } | null
}

/** Docker gives an address that is asked for only where whoever made the network chose its range, as we do. */
async function addressesIn(
  docker: Docker,
  network: string,
  { IPAddress: v4, GlobalIPv6Address: v6 }: { IPAddress: string; GlobalIPv6Address: string },
) {
  const path = `/networks/${encodeURIComponent(network)}`
  const { Labels: labels, IPAM: ipam } = await docker.json<Made>({ path })
  if (!labels?.[rangeLabel] && !labels?.[instanceLabels.application]) return {}
  const hasV6 = ipam?.Config?.some(({ Subnet }) => Subnet?.includes(':'))
  return { ...(v4 && { IPv4Address: v4 }), ...(v6 && hasV6 && { IPv6Address: v6 }) }
}

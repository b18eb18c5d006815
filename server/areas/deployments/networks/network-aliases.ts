import type { Docker } from '../../../remote/host.ts'
import { type Instance, instanceLabels } from '../../applications/instance.ts'
import type { Release } from '../../applications/release.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import { type Endpoint, networkEndpoints } from '../../compose/endpoints.ts'
import type { Model } from '../../compose/model.ts'
import type { ContainerInspection } from '../../containers/inspect.ts'
import { joinNetwork, leaveNetwork } from '../containers/containers.ts'
import { rangeLabel } from './network-definition.ts'
import { serviceSpec } from '../containers/service-spec.ts'
import { imageEndpoints } from '../containers/specification.ts'

export interface AliasTarget {
  application: { id: Id<'application'>; slug: string }
  release: Release
  instance: Instance
  model: Model | undefined
  /** Whether to set the aliases. */
  named: boolean
}

/** Finds networks where the aliases are wrong or the container is missing. */
export function endpointsToRejoin(
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
export async function rejoinNetworks(
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

import type { Id } from '../../../contract/shared/ids.ts'
import type { Model, Service, ServiceNetwork } from './model.ts'
import { composeNetworkName, projectAlias } from './docker-names.ts'
import { hasNetworks } from './proxy-network.ts'
import { UnsupportedCompose } from './read/unsupported-compose.ts'

export interface ContainerInput {
  application: { id: Id<'application'>; slug: string }
  release: { id: Id<'release'>; number: number }
  instance: {
    id: Id<'instance'>
    replica: number
    /** In which of the application's own networks it is, and where; null if the proxy does not reach it. */
    network: string | null
    address: string | null
    /** Where other applications of its project reach it. */
    project_network: string | null
  }
  /** Of the service. */
  name: string
  model: Model
  imageId: string
  /** Whether others reach it by the name of its service yet. */
  named: boolean
  /** A container of each other service that it shares something with. */
  containers: Readonly<Record<string, string>>
}

/** Never a container that only has the name of the service: it would be somebody else's. */
export function sharedContainerId({ name, containers }: ContainerInput, other: string): string {
  const id = Object.hasOwn(containers, other) ? containers[other] : undefined
  if (id === undefined)
    throw new UnsupportedCompose([`${name} shares resources with ${other}, which has no container.`])
  return id
}

/** As Docker takes it, for making a container or for connecting one. */
export interface Endpoint {
  network: string
  config: {
    Aliases?: string[]
    Links?: string[]
    IPAMConfig?: { IPv4Address?: string; IPv6Address?: string; LinkLocalIPs?: string[] }
    DriverOpts?: Record<string, string>
  }
}

/** The networks that it is in, the one that it is made in first: Docker 20.10 takes no more than one then. */
export function networkEndpoints(making: ContainerInput): Endpoint[] {
  const service = making.model.services[making.name] ?? {}
  const { network_mode, networks = {} } = service
  if (!hasNetworks(service)) return []
  const all = network_mode === 'bridge' ? [] : Object.entries(networks)
  const apps = all.toSorted(byPriority).map(([key, of]) => endpointOf(making, service, key, of ?? {}))
  // The address of a network card is that of the first network.
  const hasCard = all.some(([, of]) => of?.mac_address !== undefined)
  const own = ownOf(making)
  return [...(hasCard ? [...apps, ...own] : [...own, ...apps]), ...projectEndpoint(making)]
}

type Entry = [string, ServiceNetwork | null]

const byPriority = ([one, a]: Entry, [other, b]: Entry) =>
  Number(b?.mac_address !== undefined) - Number(a?.mac_address !== undefined) ||
  (b?.priority ?? 0) - (a?.priority ?? 0) ||
  one.localeCompare(other)

const ownOf = ({ application, instance: { address, network }, name }: ContainerInput): Endpoint[] =>
  address === null || network === null
    ? []
    : [
        {
          network,
          config: { IPAMConfig: { IPv4Address: address }, Aliases: [projectAlias(application, name)] },
        },
      ]

const projectEndpoint = ({ application, instance, name, named }: ContainerInput): Endpoint[] =>
  instance.project_network === null
    ? []
    : [
        {
          network: instance.project_network,
          config: { Aliases: named ? [projectAlias(application, name)] : [] },
        },
      ]

function endpointOf(
  { application, model, name, named }: ContainerInput,
  { links = [], external_links = [] }: Service,
  key: string,
  { aliases = [], ipv4_address, ipv6_address, link_local_ips, driver_opts }: ServiceNetwork,
): Endpoint {
  const addresses = {
    ...(ipv4_address !== undefined && { IPv4Address: ipv4_address }),
    ...(ipv6_address !== undefined && { IPv6Address: ipv6_address }),
    ...(link_local_ips && { LinkLocalIPs: link_local_ips }),
  }
  // Docker looks a linked name up when it is asked for, so that a service may be replaced.
  const linked = [...links, ...external_links].map((line) => (line.includes(':') ? line : `${line}:${line}`))
  return {
    network: composeNetworkName(application, model, key),
    config: {
      Aliases: named ? [...new Set([name, ...aliases])] : [],
      ...(linked.length > 0 && { Links: linked }),
      ...(Object.keys(addresses).length > 0 && { IPAMConfig: addresses }),
      ...(driver_opts && { DriverOpts: driver_opts }),
    },
  }
}

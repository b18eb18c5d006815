import type { Id } from '../../../contract/shared/ids.ts'
import { type Model, type Service, type ServiceNetwork, UnsupportedCompose } from './model.ts'
import { composeNetworkName, projectAlias } from './docker-names.ts'
import { hasNetworks } from './proxy-network.ts'

export interface ContainerInput {
  application: { id: Id<'application'>; slug: string }
  release: { id: Id<'release'>; number: number }
  instance: {
    id: Id<'instance'>
    replica: number
    network: string | null
    address: string | null
    project_network: string | null
  }
  name: string
  model: Model
  imageId: string
  /** False until other containers can resolve the service name. */
  named: boolean
  containers: Readonly<Record<string, string>>
}

/** Only IDs are accepted: a container that merely has the name of the service may belong to another application. */
export function sharedContainerId({ name, containers }: ContainerInput, service: string): string {
  const id = Object.hasOwn(containers, service) ? containers[service] : undefined
  if (id === undefined)
    throw new UnsupportedCompose([`${name} shares resources with ${service}, which has no container.`])
  return id
}

export interface Endpoint {
  network: string
  config: {
    Aliases?: string[]
    Links?: string[]
    IPAMConfig?: { IPv4Address?: string; IPv6Address?: string; LinkLocalIPs?: string[] }
    DriverOpts?: Record<string, string>
    GwPriority?: number
  }
}

/** The first network is the one for the creation, because Docker 20.10 accepts only one there. */
export function networkEndpoints(making: ContainerInput): Endpoint[] {
  const service = making.model.services[making.name] ?? {}
  const { network_mode, networks = {} } = service
  if (!hasNetworks(service)) return []
  const all = network_mode === 'bridge' ? [] : Object.entries(networks)
  const apps = all
    .toSorted(byPriority)
    .map(([key, network]) => composeEndpoint(making, service, key, network ?? {}))
  // Docker applies a MAC address to the first network.
  const hasCard = all.some(([, network]) => network?.mac_address !== undefined)
  const own = ownEndpoint(making)
  return [...(hasCard ? [...apps, ...own] : [...own, ...apps]), ...projectEndpoint(making)]
}

type Entry = [string, ServiceNetwork | null]

const byPriority = ([firstKey, a]: Entry, [secondKey, b]: Entry) =>
  Number(b?.mac_address !== undefined) - Number(a?.mac_address !== undefined) ||
  (b?.priority ?? 0) - (a?.priority ?? 0) ||
  firstKey.localeCompare(secondKey)

const ownEndpoint = ({ application, instance: { address, network }, name }: ContainerInput): Endpoint[] =>
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

function composeEndpoint(
  { application, model, name, named }: ContainerInput,
  { links = [], external_links = [] }: Service,
  key: string,
  { aliases = [], ipv4_address, ipv6_address, link_local_ips, driver_opts, gw_priority }: ServiceNetwork,
): Endpoint {
  const addresses = {
    ...(ipv4_address !== undefined && { IPv4Address: ipv4_address }),
    ...(ipv6_address !== undefined && { IPv6Address: ipv6_address }),
    ...(link_local_ips && { LinkLocalIPs: link_local_ips }),
  }
  // Docker resolves a linked name on each lookup, so the linked service can be replaced.
  const linked = [...links, ...external_links].map((line) => (line.includes(':') ? line : `${line}:${line}`))
  return {
    network: composeNetworkName(application, model, key),
    config: {
      Aliases: named ? [...new Set([name, ...aliases])] : [],
      ...(linked.length > 0 && { Links: linked }),
      ...(Object.keys(addresses).length > 0 && { IPAMConfig: addresses }),
      ...(driver_opts && { DriverOpts: driver_opts }),
      ...(gw_priority !== undefined && { GwPriority: gw_priority }),
    },
  }
}

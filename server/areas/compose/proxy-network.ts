import { createHash } from 'node:crypto'
import type { Id } from '../../../contract/shared/ids.ts'
import { applicationNetworkName } from '../servers/docker-networks.ts'
import type { Model, Service } from './model.ts'

export const hasNetworks = ({ network_mode }: Service) =>
  network_mode === undefined || network_mode === 'bridge'

/** Services with only internal networks stay internal unless a domain routes to them (`routed`). */
export function joinsApplicationNetwork(service: Service, model: Model, routed: boolean): boolean {
  if (!hasNetworks(service)) return false
  return (
    !isInternal(service, model) ||
    routed ||
    (service.ports ?? []).some(({ published }) => published !== undefined)
  )
}

/** Other services stay out of the project network, so that it does not connect what the file separates. */
export const isReachableInProject = (service: Service, model: Model, routed: boolean): boolean =>
  (routed || exposesPort(service)) && hasNetworks(service) && !isInternal(service, model)

/** `expose` declares ports for other containers without publishing them, as databases do. */
export const exposesPort = ({ expose }: Service): boolean => Array.isArray(expose) && expose.length > 0

function isInternal({ networks = {} }: Service, model: Model): boolean {
  const keys = Object.keys(networks)
  return keys.length > 0 && keys.every((key) => model.networks[key]?.internal === true)
}

/** Marks internal networks by name, so that a query can recognize their containers. */
export const internalSuffix = '-internal'

/** Services share a network with the proxy only if they share one in the file, so that separated ones stay separated. */
export function findProxyNetwork(
  { id }: { id: Id<'application'> },
  service: Service,
  model: Model,
): { name: string; internal: boolean } {
  const internal = isInternal(service, model)
  const keys = service.network_mode === undefined ? Object.keys(service.networks ?? {}).toSorted() : []
  const name = applicationNetworkName(id)
  if (keys.length === 1 && keys[0] === 'default' && !internal) return { name, internal }
  const group = createHash('sha256')
    .update(JSON.stringify([internal, keys]))
    .digest('hex')
    .slice(0, 8)
  return { name: `${name}-${group}${internal ? internalSuffix : ''}`, internal }
}

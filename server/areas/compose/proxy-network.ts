import { createHash } from 'node:crypto'
import type { Id } from '../../../contract/shared/ids.ts'
import { applicationNetworkOf } from '../servers/network.ts'
import type { Model, Service } from './model.ts'

/** Whether its containers are in networks of their own, and not in the server's, another container's, or none. */
export const hasNetworks = ({ network_mode }: Service) =>
  network_mode === undefined || network_mode === 'bridge'

/**
 * Whether its containers are in a network of the application as well, by which the proxy reaches them. Those that the file
 * shuts off from the world stay so, unless somebody is led to them: `routed` says whether a domain is.
 */
export function joinsApplicationNetwork(service: Service, model: Model, routed: boolean): boolean {
  if (!hasNetworks(service)) return false
  return (
    !isInternal(service, model) ||
    routed ||
    (service.ports ?? []).some(({ published }) => published !== undefined)
  )
}

/**
 * Whether other applications of its project reach it in the network of the project. Only services that take requests are
 * there, so that the network joins neither what the file keeps apart nor what it shuts off from the world.
 */
export const isReachableInProject = (service: Service, model: Model, routed: boolean): boolean =>
  (routed || exposesPort(service)) && hasNetworks(service) && !isInternal(service, model)

/** Whether the file names ports for other containers without publishing them (`expose`), as a database does. */
export const exposesPort = ({ expose }: Service): boolean => Array.isArray(expose) && expose.length > 0

function isInternal({ networks = {} }: Service, model: Model): boolean {
  const keys = Object.keys(networks)
  return keys.length > 0 && keys.every((key) => model.networks[key]?.internal === true)
}

/** Ends the name of a network without a way to the world, so that a query sees which containers are in one. */
export const internalSuffix = '-internal'

interface ProxyNetwork {
  name: string
  /** Without a way to the world outside of the server. */
  internal: boolean
}

/**
 * The network of the application in which the proxy reaches a service. Services share one only if the file puts them into
 * the same networks: what the file keeps apart does not meet there. Nobody is in Docker's own bridge, where applications
 * would meet.
 */
export function proxyNetworkOf(
  { id }: { id: Id<'application'> },
  service: Service,
  model: Model,
): ProxyNetwork {
  const internal = isInternal(service, model)
  const keys = service.network_mode === undefined ? Object.keys(service.networks ?? {}).toSorted() : []
  const name = applicationNetworkOf(id)
  if (keys.length === 1 && keys[0] === 'default' && !internal) return { name, internal }
  const group = createHash('sha256')
    .update(JSON.stringify([internal, keys]))
    .digest('hex')
    .slice(0, 8)
  return { name: `${name}-${group}${internal ? internalSuffix : ''}`, internal }
}

import type { Model, Service } from './model.ts'

/** Whether its containers are in networks of their own, and not in the server's, another container's, or none. */
export const hasNetworks = ({ network_mode }: Service) =>
  network_mode === undefined || network_mode === 'bridge'

/**
 * Whether its containers are in Slipway's own network as well, by which the proxy reaches them. Those that the file shuts off
 * from the world stay so, unless somebody is led to them: `routed` says whether a domain is.
 */
export function joinsOwn(service: Service, model: Model, routed: boolean): boolean {
  if (!hasNetworks(service)) return false
  const keys = Object.keys(service.networks ?? {})
  const isShutOff = keys.length > 0 && keys.every((key) => model.networks[key]?.internal === true)
  return !isShutOff || routed || (service.ports ?? []).some(({ published }) => published !== undefined)
}

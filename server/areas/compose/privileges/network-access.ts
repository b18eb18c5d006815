import { toList, toMap, toText } from '../read/untyped.ts'
import type { ModelNetwork } from '../model.ts'
import { isPrivateSubnet, subnetsOverlap } from './subnets.ts'

/** These options affect only the network itself. */
const ownOptions = new Set([
  'com.docker.network.bridge.enable_icc',
  'com.docker.network.bridge.enable_ip_masquerade',
  'com.docker.network.container_iface_prefix',
  'com.docker.network.driver.mtu',
])

export interface ServerRoute {
  subnet: string
  device: string
}

export function networkAccess(
  key: string,
  { name, external, driver, driver_opts = {}, ipam }: ModelNetwork,
  own: ReadonlySet<string>,
  routes: readonly ServerRoute[] = [],
): string[] {
  const called = name ?? key
  const isOthers = (external === true || name !== undefined) && !own.has(called)
  const isBridge = driver === undefined || driver === '' || driver === 'bridge'
  return [
    ...(isOthers ? [`Network ${key} is ${called}, which may belong to another application.`] : []),
    ...(isBridge
      ? []
      : [`Network ${key} uses the driver ${driver}, which may reach networks of the server.`]),
    ...Object.entries(driver_opts)
      .filter(([option]) => !ownOptions.has(option))
      .map(
        ([option, value]) =>
          `Network ${key} sets ${option}: ${value}, which may reach networks of the server.`,
      ),
    ...addressPowers(key, toMap(ipam), routes),
  ]
}

/** A subnet overrides existing routes of the server, so those addresses become unreachable. */
function addressPowers(key: string, ipam: Record<string, unknown>, routes: readonly ServerRoute[]): string[] {
  const chosenBy = toText(ipam['driver']) ?? ''
  return [
    ...(chosenBy === '' || chosenBy === 'default'
      ? []
      : [`Network ${key} uses the IPAM driver ${chosenBy}.`]),
    ...Object.keys(toMap(ipam['options'])).map((option) => `Network ${key} uses the IPAM option ${option}.`),
    // The default route may also lead to private addresses, such as the DNS server of the cloud provider.
    ...listSubnets(ipam).map((subnet) => {
      const route = routes.find((one) => subnetsOverlap(one.subnet, subnet))
      const whose = !isPrivateSubnet(subnet)
        ? ', which are not private'
        : route
          ? `, of which the server routes ${route.subnet} through ${route.device}`
          : ''
      return `Network ${key} uses the addresses ${subnet}${whose}: hosts at these addresses become unreachable from the server.`
    }),
  ]
}

export const listSubnets = (ipam: ModelNetwork['ipam']): string[] =>
  toList(toMap(ipam)['config']).flatMap((place) => toText(toMap(place)['subnet']) ?? [])

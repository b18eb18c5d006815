import { listOf, mapOf, textOf } from '../read/loose.ts'
import type { ModelNetwork } from '../model.ts'
import { overlaps } from './overlaps.ts'
import { isPrivateSubnet } from './private-subnet.ts'

/** These change nothing but the network itself. */
const ownOptions = new Set([
  'com.docker.network.bridge.enable_icc',
  'com.docker.network.bridge.enable_ip_masquerade',
  'com.docker.network.container_iface_prefix',
  'com.docker.network.driver.mtu',
])

/** Where the server sends what is for some private addresses, beside to networks of Docker. */
export interface ServerRoute {
  subnet: string
  device: string
}

/**
 * What a network may reach, or keep others from, as sentences. `own` are names of those that the workspace's applications
 * made, `routes` are the server's.
 */
export function networkPowers(
  key: string,
  { name, external, driver, driver_opts = {}, ipam }: ModelNetwork,
  own: ReadonlySet<string>,
  routes: readonly ServerRoute[] = [],
): string[] {
  const called = name ?? key
  const isOthers = (external === true || name !== undefined) && !own.has(called)
  const isBridge = driver === undefined || driver === '' || driver === 'bridge'
  return [
    ...(isOthers ? [`The network ${key} is ${called}, which may belong to another application.`] : []),
    ...(isBridge
      ? []
      : [`The network ${key} has the driver ${driver}, which may reach networks of the server.`]),
    ...Object.entries(driver_opts)
      .filter(([option]) => !ownOptions.has(option))
      .map(
        ([option, value]) =>
          `The network ${key} has ${option}: ${value}, which may reach networks of the server.`,
      ),
    ...addressPowers(key, mapOf(ipam), routes),
  ]
}

/** The server sends what is for the addresses of a network there, so that nothing on it reaches them elsewhere any more. */
function addressPowers(key: string, ipam: Record<string, unknown>, routes: readonly ServerRoute[]): string[] {
  const chosenBy = textOf(ipam['driver']) ?? ''
  return [
    ...(chosenBy === '' || chosenBy === 'default'
      ? []
      : [`The addresses of the network ${key} are chosen by the driver ${chosenBy}.`]),
    ...Object.keys(mapOf(ipam['options'])).map(
      (option) => `The addresses of the network ${key} are chosen with the option ${option}.`,
    ),
    // By its default route the server may reach private addresses as well, such as the name server of its cloud.
    ...subnetsOf(ipam).map((subnet) => {
      const route = routes.find((one) => overlaps(one.subnet, subnet))
      const whose = !isPrivateSubnet(subnet)
        ? ', which are not private'
        : route
          ? `, of which the server reaches ${route.subnet} by ${route.device}`
          : ''
      return `The network ${key} takes the addresses ${subnet}${whose}: hosts at these addresses become unreachable from the server.`
    }),
  ]
}

/** The addresses that the file itself chooses for a network. */
export const subnetsOf = (ipam: ModelNetwork['ipam']): string[] =>
  listOf(mapOf(ipam)['config']).flatMap((place) => textOf(mapOf(place)['subnet']) ?? [])

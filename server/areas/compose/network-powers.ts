import { listOf, mapOf, textOf } from './loose.ts'
import type { ModelNetwork } from './model.ts'
import { isPrivateSubnet } from './private-subnet.ts'

/** These change nothing but the network itself. */
const ownOptions = new Set([
  'com.docker.network.bridge.enable_icc',
  'com.docker.network.bridge.enable_ip_masquerade',
  'com.docker.network.container_iface_prefix',
  'com.docker.network.driver.mtu',
])

/** What a network may reach, or keep others from, as sentences. `own` are names of those that the workspace's applications made. */
export function networkPowers(
  key: string,
  { name, external, driver, driver_opts = {}, ipam }: ModelNetwork,
  own: ReadonlySet<string>,
): string[] {
  const called = name ?? key
  const isOthers = (external === true || name !== undefined) && !own.has(called)
  const isBridge = driver === undefined || driver === '' || driver === 'bridge'
  return [
    ...(isOthers ? [`The network ${key} is ${called}, which may be of others.`] : []),
    ...(isBridge
      ? []
      : [`The network ${key} has the driver ${driver}, which may reach networks of the server.`]),
    ...Object.entries(driver_opts)
      .filter(([option]) => !ownOptions.has(option))
      .map(
        ([option, value]) =>
          `The network ${key} has ${option}: ${value}, which may reach networks of the server.`,
      ),
    ...addressPowers(key, mapOf(ipam)),
  ]
}

/** The server sends what is for the addresses of a network there, so that nothing on it reaches them elsewhere any more. */
function addressPowers(key: string, { driver, options, config }: Record<string, unknown>): string[] {
  const chosenBy = textOf(driver) ?? ''
  return [
    ...(chosenBy === '' || chosenBy === 'default'
      ? []
      : [`The addresses of the network ${key} are chosen by the driver ${chosenBy}.`]),
    ...Object.keys(mapOf(options)).map(
      (option) => `The addresses of the network ${key} are chosen with the option ${option}.`,
    ),
    ...listOf(config)
      .flatMap((place) => textOf(mapOf(place)['subnet']) ?? [])
      .filter((subnet) => !isPrivateSubnet(subnet))
      .map(
        (subnet) =>
          `The network ${key} takes the addresses ${subnet}, which are not private: nothing on the server reaches whoever has them.`,
      ),
  ]
}

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
  const networkName = name ?? key
  const addresses = toMap(ipam)
  const ipamDriver = toText(addresses['driver']) ?? ''
  const sentences: string[] = []
  const add = (sentence: string) => sentences.push(`Network ${key} ${sentence}`)

  if ((external === true || name !== undefined) && !own.has(networkName))
    add(`${networkName === key ? '' : `(${networkName} on the server) `}may belong to another application.`)
  if (driver !== undefined && driver !== '' && driver !== 'bridge')
    add(`uses the driver ${driver}, which may reach the server’s networks.`)
  for (const [option, value] of Object.entries(driver_opts))
    if (!ownOptions.has(option)) add(`sets ${option}: ${value}, which may reach the server’s networks.`)
  if (ipamDriver !== '' && ipamDriver !== 'default') add(`uses the IPAM driver ${ipamDriver}.`)
  for (const option of Object.keys(toMap(addresses['options']))) add(`uses the IPAM option ${option}.`)
  for (const subnet of listSubnets(addresses))
    add(
      `uses the subnet ${subnet}${subnetOwner(subnet, routes)}: hosts in this subnet become unreachable from the server.`,
    )
  return sentences
}

/** A subnet overrides existing routes of the server, so those addresses become unreachable. */
function subnetOwner(subnet: string, routes: readonly ServerRoute[]): string {
  if (!isPrivateSubnet(subnet)) return ', which is not private'
  // The default route may also lead to private addresses, such as the DNS server of the cloud provider.
  const route = routes.find((candidate) => subnetsOverlap(candidate.subnet, subnet))
  return route ? `, which overlaps the server’s route to ${route.subnet} through ${route.device}` : ''
}

export const listSubnets = (ipam: ModelNetwork['ipam']): string[] =>
  toList(toMap(ipam)['config']).flatMap((place) => toText(toMap(place)['subnet']) ?? [])

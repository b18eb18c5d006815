import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'
import type { ServerRoute } from '../../compose/privileges/network-access.ts'
import { isPrivateSubnet } from '../../compose/privileges/private-subnet.ts'
import type { ExistingNetwork } from './network-definition.ts'

/** Servers without IPv6 have no second file. */
const ROUTES = 'cat /proc/net/route; cat /proc/net/ipv6_route 2>/dev/null || true'

/** Reads the routes to private subnets, such as a LAN or VPN, without those of Docker. */
export async function readRoutes(
  host: Host,
  networks: readonly ExistingNetwork[],
  signal: AbortSignal,
): Promise<ServerRoute[]> {
  const { stdout } = await host.run(command('sh', '-c', ROUTES), { signal })
  const ofDocker = new Set(['lo', ...networks.map(bridgeOf)])
  return parseRoutes(stdout).filter(({ subnet, device }) => !ofDocker.has(device) && isPrivateSubnet(subnet))
}

const bridgeOf = ({ Id, Options }: ExistingNetwork) =>
  Options?.['com.docker.network.bridge.name'] ?? `br-${Id.slice(0, 12)}`

/** Parses kernel route tables; IPv4 bytes are reversed. */
export const parseRoutes = (text: string): ServerRoute[] => [
  ...[...text.matchAll(/^(\S+)\t([0-9A-F]{8})\t(?:\S+\t){5}([0-9A-F]{8})\b/gm)].map(
    ([, device = '', first = '', mask = '']) => ({
      device,
      subnet: `${bytesOf(first).toReversed().join('.')}/${bitsIn(mask)}`,
    }),
  ),
  ...[...text.matchAll(/^([0-9a-f]{32}) ([0-9a-f]{2}) .* (\S+)$/gm)].map(
    ([, first = '', bits = '', device = '']) => ({
      device,
      subnet: `${(first.match(/.{4}/g) ?? []).join(':')}/${Number.parseInt(bits, 16)}`,
    }),
  ),
]

const bytesOf = (hex: string) => (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))

const bitsIn = (mask: string) =>
  bytesOf(mask).reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)

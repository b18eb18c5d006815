import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'
import type { ServerRoute } from '../../compose/privileges/network-powers.ts'
import { isPrivateSubnet } from '../../compose/privileges/private-subnet.ts'
import type { NetworkThere } from './network-definition.ts'

/** Of one kind there may be none. */
const ROUTES = 'cat /proc/net/route; cat /proc/net/ipv6_route 2>/dev/null || true'

/** Where the server sends what is for private addresses: its own network, a VPN … Those of Docker's networks are not among them. */
export async function readRoutes(
  host: Host,
  networks: readonly NetworkThere[],
  signal: AbortSignal,
): Promise<ServerRoute[]> {
  const { stdout } = await host.run(command('sh', '-c', ROUTES), { signal })
  const ofDocker = new Set(['lo', ...networks.map(bridgeOf)])
  return routesIn(stdout).filter(({ subnet, device }) => !ofDocker.has(device) && isPrivateSubnet(subnet))
}

const bridgeOf = ({ Id, Options }: NetworkThere) =>
  Options?.['com.docker.network.bridge.name'] ?? `br-${Id.slice(0, 12)}`

/** As the kernel writes them: for IPv4 with the bytes turned round. */
export const routesIn = (text: string): ServerRoute[] => [
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

import { slipwayLabels } from '../../containers/slipway-labels.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { DeploymentFailed } from '../run/deployment-run.ts'
import type { Context } from '../../../context.ts'
import { command } from '../../../remote/command.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker, Host } from '../../../remote/host.ts'
import type { ServerRoute } from '../../compose/privileges/network-access.ts'
import { isPrivateSubnet } from '../../compose/privileges/subnets.ts'
import {
  createNetwork,
  type ExistingNetwork,
  findNetwork,
  listNetworks,
  probeNetworkName,
  removeIfUnused,
  subnetIn,
} from '../../servers/docker-networks.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'

export interface Subnet {
  first: number
  size: number
}

export interface NetworkScope {
  ctx: Context
  server: ServerRow
}

const maxAttempts = 5

export async function withFreeSubnet(
  scope: NetworkScope,
  bits: number,
  held: AbortSignal,
  use: (subnet: string, range: string) => Promise<unknown>,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { subnet, range } = await chooseSubnet(scope, bits, held)
    try {
      await use(subnet, range)
      return subnet
    } catch (error) {
      if (attempt === maxAttempts || !isOverlap(error)) throw error
    }
  }
}

/** Docker’s own subnets suffice for about thirty networks, so Slipway packs small ones into one range from Docker. */
async function chooseSubnet(
  { ctx, server }: NetworkScope,
  bits: number,
  held: AbortSignal,
): Promise<{ subnet: string; range: string }> {
  const host = getServerHost(ctx, server)
  const [all, applications] = await Promise.all([
    listNetworks(host.docker),
    listApplicationIds(ctx.db, server),
  ])
  const routes = await readRoutes(host, all, held)
  const taken = [
    ...all.flatMap(({ IPAM }) => IPAM?.Config ?? []).flatMap(({ Subnet: subnet }) => subnet ?? []),
    // A VPN may have been added since the range was chosen.
    ...routes.map(({ subnet }) => subnet),
  ].filter((subnet) => subnet.includes('.'))
  const pick = (ranges: readonly string[]) => {
    for (const range of ranges) {
      const subnet = findFreeSubnet(range, taken, bits)
      if (subnet !== undefined) return { subnet, range }
    }
    return undefined
  }
  const known = pick(listApplicationRanges(all, applications))
  if (known) return known
  const probed = await probeFreeSubnet(host.docker, server.id, held)
  if (probed) return { subnet: findFreeSubnet(probed, taken, bits) ?? probed, range: probed }
  const spare = pick(spareRanges)
  if (spare) return spare
  throw new DeploymentFailed(
    'The server has no private subnet left for another network. Remove unused Docker networks, or extend default-address-pools in the Docker configuration.',
  )
}

/** Creates and removes a network to learn a free subnet. Returns undefined if Docker's address pools are exhausted. */
async function probeFreeSubnet(
  docker: Docker,
  server: Id<'server'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = probeNetworkName(server)
  // An interrupted attempt may have left its network.
  await removeIfUnused(docker, name)
  try {
    await createNetwork(docker, signal, { Name: name, Driver: 'bridge' })
  } catch (error) {
    if (error instanceof DockerError && isUsedUp.test(error.message)) return undefined
    throw error
  }
  const network = await findNetwork(docker, name)
  await removeIfUnused(docker, name)
  return network && subnetIn(network)
}

const isUsedUp = /non-overlapping IPv4 address pool|fully subnetted/i

const isOverlap = (error: unknown) => error instanceof DockerError && /overlap/i.test(error.message)

/** Servers without IPv6 have no second file, which is no error. */
const ROUTES = 'cat /proc/net/route; cat /proc/net/ipv6_route 2>/dev/null || true'

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

export async function listApplicationIds(
  db: Db,
  { workspace_id, id }: Pick<ServerRow, 'workspace_id' | 'id'>,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('applications')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('server_id', '=', id)
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** Records the range of a network, so that the next one uses it too. */
export const rangeLabel = 'slipway.range'

/** Anyone can set labels, so only private ranges on networks of known applications count. */
export const listApplicationRanges = (
  all: readonly ExistingNetwork[],
  applications: ReadonlySet<string>,
): string[] => [
  ...new Set(
    all
      .filter(({ Labels }) => applications.has(Labels?.[slipwayLabels.application] ?? ''))
      .flatMap(({ Labels }) => Labels?.[rangeLabel] ?? [])
      .filter((range) => range.includes('.') && isPrivateSubnet(range)),
  ),
]

const toNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const toAddress = (address: number) =>
  [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')

export function readSubnet(written: string): Subnet {
  const [address = '', bits = '32'] = written.split('/')
  const size = 2 ** (32 - Number(bits))
  return { first: Math.floor(toNumber(address) / size) * size, size }
}

const spareRanges: readonly string[] = Array.from({ length: 128 }, (_, nth) => `10.${128 + nth}.0.0/16`)

export function findFreeSubnet(range: string, taken: readonly string[], bits: number): string | undefined {
  const { first, size } = readSubnet(range)
  const wantedSize = 2 ** (32 - bits)
  const used = taken.map(readSubnet)
  const isFree = (subnet: Subnet) =>
    !used.some(
      (usedSubnet) =>
        subnet.first < usedSubnet.first + usedSubnet.size && usedSubnet.first < subnet.first + subnet.size,
    )
  if (size <= wantedSize) return isFree({ first, size }) ? range : undefined
  for (let start = first; start < first + size; start += wantedSize)
    if (isFree({ first: start, size: wantedSize })) return `${toAddress(start)}/${bits}`
  return undefined
}

/** Number of addresses at the end of a large subnet that are left for Docker to assign. */
const ownSize = 256
const hasOwn = ({ size }: Subnet) => size > 2 * ownSize

/** Places the gateway first, because Docker assigns addresses from the end. */
export function ipamConfig(written: string) {
  const subnet = readSubnet(written)
  return {
    Subnet: written,
    Gateway: toAddress(subnet.first + 1),
    ...(hasOwn(subnet) && { IPRange: `${toAddress(subnet.first + subnet.size - ownSize)}/24` }),
  }
}

/** Finds free addresses after the highest used one, so that a released address is not reused immediately. */
export function findFreeAddresses(subnet: Subnet, taken: readonly string[], count: number): string[] {
  const usable = subnet.size - (hasOwn(subnet) ? ownSize : 1) - 2
  const used = new Set(taken.map((address) => toNumber(address) - subnet.first))
  const highest = Math.max(0, ...[...used].filter((place) => place >= 2 && place < usable + 2)) || 1
  const addresses: string[] = []
  for (let step = 1; step <= usable && addresses.length < count; step++) {
    const place = 2 + ((highest - 2 + step + usable) % usable)
    if (!used.has(place)) addresses.push(toAddress(subnet.first + place))
  }
  return addresses
}

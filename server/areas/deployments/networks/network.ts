import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { command } from '../../../remote/command.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker, Host } from '../../../remote/host.ts'
import { instanceLabels } from '../../applications/instance.ts'
import type { ServerRoute } from '../../compose/privileges/network-access.ts'
import { isPrivateSubnet } from '../../compose/privileges/subnets.ts'
import { probeNetworkName, removeIfUnused } from '../../servers/network.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { DeploymentFailed } from '../run/deployment-run.ts'
import { findFreeSubnet, spareRanges } from './addresses.ts'
import type { Db } from '../../../tables.ts'

export interface ExistingNetwork {
  Id: string
  Name: string
  Driver: string
  Internal: boolean
  Attachable: boolean
  EnableIPv6: boolean
  Options: Record<string, string> | null
  Labels: Record<string, string> | null
  IPAM: { Config: IpamEntry[] | null } | null
}

export interface IpamEntry {
  Subnet?: string
  Gateway?: string
  IPRange?: string
  AuxiliaryAddresses?: Record<string, string>
}

export interface NetworkScope {
  ctx: Context
  server: ServerRow
}

const maxAttempts = 5

export async function withFreeSubnet(
  place: NetworkScope,
  bits: number,
  held: AbortSignal,
  use: (subnet: string, range: string) => Promise<unknown>,
): Promise<string> {
  for (let nth = 1; ; nth++) {
    const { subnet, range } = await chooseSubnet(place, bits, held)
    try {
      await use(subnet, range)
      return subnet
    } catch (error) {
      if (nth === maxAttempts || !isOverlap(error)) throw error
    }
  }
}

/**
 * Docker assigns large subnets, enough for about thirty networks. Slipway packs small subnets into one such
 * range, which Docker chooses because it knows what is free.
 */
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
  const first = (ranges: readonly string[]) => {
    for (const range of ranges) {
      const subnet = findFreeSubnet(range, taken, bits)
      if (subnet !== undefined) return { subnet, range }
    }
    return undefined
  }
  const known = first(listApplicationRanges(all, applications))
  if (known) return known
  const given = await probeFreeSubnet(host.docker, server.id, held)
  if (given) return { subnet: findFreeSubnet(given, taken, bits) ?? given, range: given }
  const spare = first(spareRanges)
  if (spare) return spare
  throw new DeploymentFailed(
    'The server has no private subnet left for another network. Remove unused Docker networks, or extend default-address-pools in the Docker configuration.',
  )
}

/** Creates and removes a network to learn a free subnet. Undefined if the pools are exhausted. */
async function probeFreeSubnet(
  docker: Docker,
  server: Id<'server'>,
  held: AbortSignal,
): Promise<string | undefined> {
  const look = probeNetworkName(server)
  // Left by an interrupted attempt.
  await removeIfUnused(docker, look)
  try {
    await createNetwork(docker, held, { Name: look, Driver: 'bridge' })
  } catch (error) {
    if (error instanceof DockerError && isUsedUp.test(error.message)) return undefined
    throw error
  }
  const found = await findNetwork(docker, look)
  await removeIfUnused(docker, look)
  return found && subnetIn(found)
}

const isUsedUp = /non-overlapping IPv4 address pool|fully subnetted/i
const isOverlap = (error: unknown) => error instanceof DockerError && /overlap/i.test(error.message)

export async function findNetwork(docker: Docker, name: string): Promise<ExistingNetwork | undefined> {
  try {
    return await docker.json<ExistingNetwork>({ path: `/networks/${encodeURIComponent(name)}` })
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return undefined
    throw error
  }
}

export const subnetIn = ({ IPAM }: ExistingNetwork) =>
  IPAM?.Config?.find(({ Subnet: subnet }) => subnet?.includes('.'))?.Subnet

export const createNetwork = (docker: Docker, signal: AbortSignal, body: object) =>
  docker.json({ signal, method: 'POST', path: '/networks/create', body: { CheckDuplicate: true, ...body } })

export function listNetworks(
  docker: Docker,
  { signal, label }: { signal?: AbortSignal; label?: string } = {},
): Promise<ExistingNetwork[]> {
  const filters = label === undefined ? {} : { label: [label] }
  const query = new URLSearchParams({ filters: JSON.stringify(filters) }).toString()
  return docker.json<ExistingNetwork[]>({ path: `/networks?${query}`, signal })
}

export const applicationLabelFilter = (application: Id<'application'>) =>
  `${instanceLabels.application}=${application}`

/** Servers without IPv6 have no second file. */
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
  return new Set(rows.map((one) => one.id))
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
      .filter(({ Labels }) => applications.has(Labels?.[instanceLabels.application] ?? ''))
      .flatMap(({ Labels }) => Labels?.[rangeLabel] ?? [])
      .filter((range) => range.includes('.') && isPrivateSubnet(range)),
  ),
]

import type { Context } from '../../../context.ts'
import { underLock } from '../../../platform/locks.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { instanceLabels } from '../../applications/instance.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import { lookNameOf, networkLockOf, removeIfUnused } from '../../servers/network.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import { freeSubnetIn, layOut, readSubnet, spareRanges, type Subnet } from './addresses.ts'
import { Failed } from '../run/attempt.ts'
import { type NetworkThere, rangeLabel, rangesIn } from './network-definition.ts'
import { listApplicationIds } from './own-names.ts'
import { readRoutes } from './read-routes.ts'

export interface Place {
  ctx: Context
  server: ServerRow
}

/** A network of Slipway's own: of an application or of a project. */
export interface WantedOwn {
  name: string
  /** Whom it belongs to: a label and its value. One of the same name that belongs to another is not used. */
  owner: readonly [label: string, id: string]
  labels?: Record<string, string>
  /** Its size as it is written, such as 26. */
  bits: number
  /** Without a way to the world outside of the server. */
  internal: boolean
  /** Whether Slipway chooses the addresses in it. */
  isLaidOut: boolean
}

/** How often another network takes the subnet that was chosen. */
export const tries = 5

/** Resolves with the subnet of the network, which is created if it is missing; `begin` is called before that. */
export async function ensureNetwork(
  place: Place,
  wanted: WantedOwn,
  begin: () => Promise<void> = async () => {},
): Promise<Subnet> {
  const { ctx, server } = place
  const { docker } = hostOf(ctx, server)
  // Docker takes two networks of the same name, so two of us must not create it at once, nor one remove it meanwhile.
  const subnet = await underLock(ctx.pool, networkLockOf(server.id), async (held) => {
    const found = await findNetwork(docker, wanted.name)
    if (found && !isOwnedBy(found, wanted.owner)) throw new Failed(notOurs(wanted.name, server))
    if (found) return subnetIn(found)
    await begin()
    return create(place, wanted, held)
  })
  if (!subnet)
    throw new Failed(
      `The network ${wanted.name} on ${server.name} has no IPv4 subnet. Check default-address-pools in the Docker configuration.`,
    )
  return readSubnet(subnet)
}

const isOwnedBy = ({ Labels }: NetworkThere, [label, id]: WantedOwn['owner']) => Labels?.[label] === id

export const notOurs = (network: string, { name }: Pick<ServerRow, 'name'>) =>
  `The network ${network} on ${name} was not created by Slipway for this application. Remove it, then deploy again.`

async function create(place: Place, wanted: WantedOwn, held: AbortSignal): Promise<string> {
  const { docker } = hostOf(place.ctx, place.server)
  const [label, id] = wanted.owner
  return withFreeSubnet(place, wanted.bits, held, (subnet, range) =>
    createNetwork(docker, held, {
      Name: wanted.name,
      Driver: 'bridge',
      Internal: wanted.internal,
      Labels: { ...wanted.labels, [label]: id, [rangeLabel]: range },
      IPAM: { Config: [wanted.isLaidOut ? layOut(subnet) : { Subnet: subnet }] },
    }),
  )
}

/** Tries again with another subnet where somebody else took the one that was chosen. Resolves with what was used. */
export async function withFreeSubnet(
  place: Place,
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
      if (nth === tries || !isOverlap(error)) throw error
    }
  }
}

/**
 * Docker gives each network a subnet as large as its pools say, so that there could be about thirty on a server. Ours are
 * small and lie next to each other in such a subnet, which is chosen by Docker, who knows what is free on the server.
 */
async function chooseSubnet(
  { ctx, server }: Place,
  bits: number,
  held: AbortSignal,
): Promise<{ subnet: string; range: string }> {
  const host = hostOf(ctx, server)
  const [all, applications] = await Promise.all([
    listNetworks(host.docker),
    listApplicationIds(ctx.db, server),
  ])
  const routes = await readRoutes(host, all, held)
  const taken = [
    ...all.flatMap(({ IPAM }) => IPAM?.Config ?? []).flatMap(({ Subnet: subnet }) => subnet ?? []),
    // A VPN may have come since the range was chosen.
    ...routes.map(({ subnet }) => subnet),
  ].filter((subnet) => subnet.includes('.'))
  const first = (ranges: readonly string[]) => {
    for (const range of ranges) {
      const subnet = freeSubnetIn(range, taken, bits)
      if (subnet !== undefined) return { subnet, range }
    }
    return undefined
  }
  const known = first(rangesIn(all, applications))
  if (known) return known
  const given = await findFree(host.docker, server.id, held)
  if (given) return { subnet: freeSubnetIn(given, taken, bits) ?? given, range: given }
  const spare = first(spareRanges)
  if (spare) return spare
  throw new Failed(
    'The server has no private subnet left for another network. Remove unused Docker networks, or extend default-address-pools in the Docker configuration.',
  )
}

/** A network is created to see which subnet Docker gives it, and removed again. Nothing if its pools are used up. */
async function findFree(
  docker: Docker,
  server: Id<'server'>,
  held: AbortSignal,
): Promise<string | undefined> {
  const look = lookNameOf(server)
  // Left by one that was cut off in between.
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

export async function findNetwork(docker: Docker, name: string): Promise<NetworkThere | undefined> {
  try {
    return await docker.json<NetworkThere>({ path: `/networks/${encodeURIComponent(name)}` })
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return undefined
    throw error
  }
}

const subnetIn = ({ IPAM }: NetworkThere) =>
  IPAM?.Config?.find(({ Subnet: subnet }) => subnet?.includes('.'))?.Subnet

export const createNetwork = (docker: Docker, signal: AbortSignal, body: object) =>
  docker.json({ signal, method: 'POST', path: '/networks/create', body: { CheckDuplicate: true, ...body } })

export function listNetworks(
  docker: Docker,
  { signal, label }: { signal?: AbortSignal; label?: string } = {},
): Promise<NetworkThere[]> {
  const filters = label === undefined ? {} : { label: [label] }
  const query = new URLSearchParams({ filters: JSON.stringify(filters) }).toString()
  return docker.json<NetworkThere[]>({ path: `/networks?${query}`, signal })
}

export const labelOf = (application: Id<'application'>) => `${instanceLabels.application}=${application}`

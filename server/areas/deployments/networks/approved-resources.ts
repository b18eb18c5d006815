import type { Context } from '../../../context.ts'
import { instanceLabels } from '../../applications/instance.ts'
import { networkAccess, type ServerRoute } from '../../compose/privileges/network-access.ts'
import { subnetsOverlap } from '../../compose/privileges/subnets.ts'
import { volumeAccess } from '../../compose/privileges/volume-access.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { listApplicationIds } from './network.ts'
import { rangeLabel } from './network-definition.ts'

interface LabeledResource {
  Name: string
  Driver: string
  Options: Record<string, string> | null
  Labels: Record<string, string> | null
}

interface LabeledNetwork extends LabeledResource {
  IPAM: {
    Driver: string
    Options: Record<string, string> | null
    Config: { Subnet?: string }[] | null
  } | null
}

/**
 * Lists volumes and networks of the workspace on a server, except those created with host access: using these
 * needs the same approval.
 */
export async function listApprovedResources(
  ctx: Context,
  server: ServerRow,
  { routes, signal }: { routes: readonly ServerRoute[]; signal: AbortSignal },
): Promise<Set<string>> {
  const { docker } = getServerHost(ctx, server)
  const filters = JSON.stringify({ label: [instanceLabels.application] })
  const query = new URLSearchParams({ filters }).toString()
  const [volumes, networks, applications] = await Promise.all([
    docker.json<{ Volumes: LabeledResource[] | null }>({ path: `/volumes?${query}`, signal }),
    docker.json<LabeledNetwork[]>({ path: `/networks?${query}`, signal }),
    listApplicationIds(ctx.db, server),
  ])
  return new Set(
    [
      ...(volumes.Volumes ?? []).filter(isPlainVolume),
      ...networks.filter((one) => isPlainNetwork(one, routes)),
    ]
      .filter(({ Labels }) => applications.has(Labels?.[instanceLabels.application] ?? ''))
      .map(({ Name }) => Name),
  )
}

const nothing = new Set<string>()

const isPlainVolume = ({ Name, Driver, Options }: LabeledResource) =>
  volumeAccess(Name, { driver: Driver, driver_opts: Options ?? {} }, nothing).length === 0

function isPlainNetwork(
  { Name, Driver, Options, Labels, IPAM }: LabeledNetwork,
  routes: readonly ServerRoute[],
): boolean {
  // Subnets in this range were chosen by Slipway.
  const range = Labels?.[rangeLabel] ?? ''
  const ipam = {
    driver: IPAM?.Driver,
    options: IPAM?.Options,
    config: (IPAM?.Config ?? [])
      .filter(({ Subnet = '' }) => !subnetsOverlap(range, Subnet))
      .map(({ Subnet }) => ({ subnet: Subnet })),
  }
  const network = { driver: Driver, driver_opts: Options ?? {}, ipam }
  return networkAccess(Name, network, nothing, routes).length === 0
}

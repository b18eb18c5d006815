import type { Context } from '../../../context.ts'
import type { Db } from '../../../tables.ts'
import { instanceLabels } from '../../applications/instance.ts'
import { networkPowers, type ServerRoute } from '../../compose/privileges/network-powers.ts'
import { overlaps } from '../../compose/privileges/overlaps.ts'
import { volumePowers } from '../../compose/privileges/volume-powers.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import { rangeLabel } from './network-definition.ts'

interface Made {
  Name: string
  Driver: string
  Options: Record<string, string> | null
  Labels: Record<string, string> | null
}

interface MadeNetwork extends Made {
  IPAM: {
    Driver: string
    Options: Record<string, string> | null
    Config: { Subnet?: string }[] | null
  } | null
}

/**
 * What Docker calls the volumes and networks that the workspace's own applications have on a server. Those that an admin made
 * with power over the server are not among them: who is to use one needs that power too.
 */
export async function listOwnNames(
  ctx: Context,
  server: ServerRow,
  { routes, signal }: { routes: readonly ServerRoute[]; signal: AbortSignal },
): Promise<Set<string>> {
  const { docker } = hostOf(ctx, server)
  const filters = JSON.stringify({ label: [instanceLabels.application] })
  const query = new URLSearchParams({ filters }).toString()
  const [volumes, networks, applications] = await Promise.all([
    docker.json<{ Volumes: Made[] | null }>({ path: `/volumes?${query}`, signal }),
    docker.json<MadeNetwork[]>({ path: `/networks?${query}`, signal }),
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

const isPlainVolume = ({ Name, Driver, Options }: Made) =>
  volumePowers(Name, { driver: Driver, driver_opts: Options ?? {} }, nothing).length === 0

function isPlainNetwork(
  { Name, Driver, Options, Labels, IPAM }: MadeNetwork,
  routes: readonly ServerRoute[],
): boolean {
  // What lies in this range was not chosen by a file.
  const range = Labels?.[rangeLabel] ?? ''
  const ipam = {
    driver: IPAM?.Driver,
    options: IPAM?.Options,
    config: (IPAM?.Config ?? [])
      .filter(({ Subnet = '' }) => !overlaps(range, Subnet))
      .map(({ Subnet }) => ({ subnet: Subnet })),
  }
  const network = { driver: Driver, driver_opts: Options ?? {}, ipam }
  return networkPowers(Name, network, nothing, routes).length === 0
}

/** Those of its workspace that are on it. */
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

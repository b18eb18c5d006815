import { slipwayLabels } from '../../containers/slipway-labels.ts'
import type { Context } from '../../../context.ts'
import { findRelease, openReleaseCompose } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { applicationFolderPath } from '../../containers/application-folder.ts'
import { findHostAccess } from '../../containers/host-access.ts'
import { findContainerApplication } from '../../containers/container-access.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { networkAccess, type ServerRoute } from '../../compose/privileges/network-access.ts'
import { findNewHostAccess } from '../../compose/privileges/new-host-access.ts'
import type { ServerRow } from '../../servers/server.ts'
import { subnetsOverlap } from '../../compose/privileges/subnets.ts'
import { volumeAccess } from '../../compose/privileges/volume-access.ts'
import { listApplicationIds, rangeLabel } from '../networks/addresses.ts'
import type { ServerScope } from '../run/deployment-run.ts'
import { findInspection } from '../../containers/docker-container.ts'

interface Options {
  routes: readonly ServerRoute[]
  signal: AbortSignal
  wasLive: boolean
}

export async function listNewHostAccess(
  { ctx, application, server }: ServerScope,
  model: Model,
  { routes, signal, wasLive }: Options,
): Promise<string[]> {
  const own = await listApprovedResources(ctx, server, { routes, signal })
  for (const name of await listPrivilegedVolumes(
    ctx,
    server,
    namedVolumes(model).filter((one) => own.has(one)),
    signal,
  ))
    own.delete(name)
  const live = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const before = live && openReleaseCompose(ctx, live)?.model
  return findNewHostAccess(model, {
    before,
    folder: applicationFolderPath(application),
    own,
    routes,
    wasLive,
  })
}

const namedVolumes = ({ volumes }: Model) =>
  Object.entries(volumes).flatMap(([key, { name, external }]) => (external || name ? [name ?? key] : []))

/** Lists volumes that containers with host access mount: writing to one can change what runs with host access. */
async function listPrivilegedVolumes(
  ctx: Context,
  server: ServerRow,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const { docker } = getServerHost(ctx, server)
  const results = await Promise.all(
    names.map(async (name) => {
      const query = new URLSearchParams({ all: '1', filters: JSON.stringify({ volume: [name] }) })
      const users = await docker.json<{ Id: string }[]>({
        path: `/containers/json?${query.toString()}`,
        signal,
      })
      for (const { Id } of users) if (await hasHostAccess(ctx, server, Id, signal)) return [name]
      return []
    }),
  )
  return results.flat()
}

async function hasHostAccess(ctx: Context, server: ServerRow, id: string, signal: AbortSignal) {
  const { docker } = getServerHost(ctx, server)
  const inspected = await findInspection(docker, id, signal)
  if (!inspected) return false
  const application = await findContainerApplication(ctx, server, inspected)
  const folder = application ? applicationFolderPath(application) : ''
  return (await findHostAccess(docker, inspected, folder)) !== undefined
}

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

/** Lists volumes and networks that applications created without host access; any other one needs an approval. */
async function listApprovedResources(
  ctx: Context,
  server: ServerRow,
  { routes, signal }: { routes: readonly ServerRoute[]; signal: AbortSignal },
): Promise<Set<string>> {
  const { docker } = getServerHost(ctx, server)
  const filters = JSON.stringify({ label: [slipwayLabels.application] })
  const query = new URLSearchParams({ filters }).toString()
  const [volumes, networks, applications] = await Promise.all([
    docker.json<{ Volumes: LabeledResource[] | null }>({ path: `/volumes?${query}`, signal }),
    docker.json<LabeledNetwork[]>({ path: `/networks?${query}`, signal }),
    listApplicationIds(ctx.db, server),
  ])
  return new Set(
    [
      ...(volumes.Volumes ?? []).filter(isPlainVolume),
      ...networks.filter((network) => isPlainNetwork(network, routes)),
    ]
      .filter(({ Labels }) => applications.has(Labels?.[slipwayLabels.application] ?? ''))
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
  // Slipway chose the subnets in this range, so they need no approval.
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

import { slipwayLabels } from '../../containers/slipway-labels.ts'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Docker } from '../../../remote/host.ts'
import type { Trx } from '../../../tables.ts'
import {
  type ApplicationRow,
  findNetworkProject,
  listNetworkProjects,
} from '../../applications/application.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { type Instance, listInstancesOn } from '../../applications/instance.ts'
import {
  joinsApplicationNetwork,
  isReachableInProject,
  findProxyNetwork,
} from '../../compose/proxy-network.ts'
import {
  applicationNetworkName,
  createNetwork,
  type ExistingNetwork,
  findNetwork,
  listNetworks,
  networkLockKey,
  projectNetworkName,
  removeIfUnused,
  subnetIn,
} from '../../servers/docker-networks.ts'
import { listServiceTargets } from '../containers/route-targets.ts'
import { DeploymentFailed, type DeploymentRun, type ReleaseRun, toRunScope } from '../run/deployment-run.ts'
import {
  findFreeAddresses,
  ipamConfig,
  type NetworkScope,
  rangeLabel,
  readSubnet,
  type Subnet,
  withFreeSubnet,
} from './addresses.ts'
import { projectNameProblems } from './name-conflicts.ts'

/** The label of the workspace is needed because two workspaces may share a machine. */
const [projectLabel, workspaceLabel] = ['slipway.project', 'slipway.workspace']

/** Prefix lengths: images have few containers, compose files and projects many. */
const [imageBits, fileBits, projectBits] = [26, 24, 22]

export interface NetworkAssignment {
  network: string
  subnet: Subnet
}

export async function ensureOwnNetwork(
  run: ReleaseRun,
  service: string,
): Promise<NetworkAssignment | undefined> {
  const { application, model, stepEntered } = run
  const definition = model?.services[service]
  const { name, internal } =
    model && definition
      ? findProxyNetwork(application, definition, model)
      : { name: applicationNetworkName(application.id), internal: false }
  if (
    model &&
    definition &&
    !joinsApplicationNetwork(definition, model, (await listServiceTargets(run, service)).length > 0)
  )
    return undefined
  const spec = ownNetworkSpec(application.id, name, { internal, bits: model ? fileBits : imageBits })
  return { network: name, subnet: await ensureNetwork(toRunScope(run), spec, () => stepEntered) }
}

export const ownNetworkSpec = (
  application: ApplicationRow['id'],
  name = applicationNetworkName(application),
  { internal = false, bits = imageBits } = {},
): NetworkSpec => ({
  name,
  owner: [slipwayLabels.application, application],
  bits,
  internal,
  isLaidOut: true,
})

export async function ensureProjectNetwork(run: ReleaseRun): Promise<string | null> {
  const { ctx, application, stepEntered } = run
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  if (!project) return null
  const name = projectNetworkName(project.id)
  const owner = [projectLabel, project.id] as const
  const labels = { [workspaceLabel]: application.workspace_id }
  const spec = { name, owner, labels, bits: projectBits, internal: false, isLaidOut: false }
  await ensureNetwork(toRunScope(run), spec, () => stepEntered)
  return name
}

export async function joinsProjectNetwork(run: ReleaseRun, service: string): Promise<boolean> {
  const { model } = run
  const definition = model?.services[service]
  if (!model || !definition) return true
  const routed = (await listServiceTargets(run, service)).length > 0
  // A domain may have been added since the names were checked.
  const alone = { ...model, services: { [service]: definition } }
  const problems = projectNameProblems(run.application, alone, new Set([service]))
  return isReachableInProject(definition, model, routed) && problems.length === 0
}

/** Locks address selection of the server until the transaction ends. */
export async function chooseAddresses(
  { application, server }: Pick<DeploymentRun, 'application' | 'server'>,
  trx: Trx,
  { network, subnet }: NetworkAssignment,
  count: number,
): Promise<string[]> {
  if (count === 0) return []
  const { workspace_id, server_id } = application
  await sql`select pg_advisory_xact_lock(hashtextextended(${`addresses:${server_id}`}, 0))`.execute(trx)
  const taken = (await listInstancesOn(trx, workspace_id, server_id)).flatMap(({ address }) => address ?? [])
  const addresses = findFreeAddresses(subnet, taken, count)
  if (addresses.length < count)
    throw new DeploymentFailed(
      `The network ${network} on ${server().name} has no free IP addresses. Remove unused containers, then deploy again.`,
    )
  return addresses
}

export const networksInUse = (instances: readonly Instance[]): string[] =>
  instances.flatMap(({ network, project_network }) =>
    [network, project_network].flatMap((name) => name ?? []),
  )

/** Decides by the instance rows, because Docker would allow removing the network of a stopped container. */
export async function removeUnusedNetworks(
  { locks, db }: Pick<Context, 'locks' | 'db'>,
  docker: Docker,
  { workspace_id, server_id, id, deleting_at }: ApplicationRow,
): Promise<void> {
  const all = await listNetworks(docker, { label: `${workspaceLabel}=${workspace_id}` })
  const instances = await listInstancesOn(db, workspace_id, server_id)
  const used = new Set([
    ...networksInUse(instances.filter(({ application_id }) => deleting_at === null || application_id !== id)),
    ...(await listNetworkProjects(db, workspace_id, server_id)).map(projectNetworkName),
  ])
  const spare = all.map(({ Name: name }) => name).filter((name) => !used.has(name))
  await locks.withLock(networkLockKey(server_id), async () => {
    for (const name of spare) await removeIfUnused(docker, name)
  })
}

interface NetworkSpec {
  name: string
  /** Owner label and its value; a network of another owner is not used. */
  owner: readonly [label: string, id: string]
  labels?: Record<string, string>
  bits: number
  internal: boolean
  isLaidOut: boolean
}

export async function ensureNetwork(
  scope: NetworkScope,
  spec: NetworkSpec,
  begin: () => Promise<void> = async () => {},
): Promise<Subnet> {
  const { ctx, server } = scope
  const { docker } = getServerHost(ctx, server)
  // Docker allows duplicate names, so creation and removal are locked.
  const subnet = await ctx.locks.withLock(networkLockKey(server.id), async (held) => {
    const existing = await findNetwork(docker, spec.name)
    if (existing && !isOwnedBy(existing, spec.owner))
      throw new DeploymentFailed(foreignNetworkMessage(spec.name, server))
    if (existing) return subnetIn(existing)
    await begin()
    return create(scope, spec, held)
  })
  if (!subnet)
    throw new DeploymentFailed(
      `The network ${spec.name} on ${server.name} has no IPv4 subnet. Check default-address-pools in the Docker configuration.`,
    )
  return readSubnet(subnet)
}

const isOwnedBy = ({ Labels }: ExistingNetwork, [label, id]: NetworkSpec['owner']) => Labels?.[label] === id

const foreignNetworkMessage = (network: string, { name }: Pick<ServerRow, 'name'>) =>
  `The network ${network} on ${name} was not created by Slipway for this application. Remove it, then deploy again.`

async function create(scope: NetworkScope, spec: NetworkSpec, held: AbortSignal): Promise<string> {
  const { docker } = getServerHost(scope.ctx, scope.server)
  const [label, id] = spec.owner
  return withFreeSubnet(scope, spec.bits, held, (subnet, range) =>
    createNetwork(docker, held, {
      Name: spec.name,
      Driver: 'bridge',
      Internal: spec.internal,
      Labels: { ...spec.labels, [label]: id, [rangeLabel]: range },
      IPAM: { Config: [spec.isLaidOut ? ipamConfig(subnet) : { Subnet: subnet }] },
    }),
  )
}

import { slipwayLabels } from '../../containers/slipway-labels.ts'
import type { Context } from '../../../context.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { listInstances } from '../../applications/instance.ts'
import type { Model, ModelNetwork } from '../../compose/model.ts'
import { composeNetworkName } from '../../compose/docker-names.ts'
import { hasNetworks } from '../../compose/proxy-network.ts'
import {
  createNetwork,
  type ExistingNetwork,
  type IpamEntry,
  listNetworks,
  networkLockKey,
  removeIfUnused,
} from '../../servers/docker-networks.ts'
import { DeploymentFailed, type DeploymentRun, getRunHost, toRunScope } from '../run/deployment-run.ts'
import { networkRefusal } from '../networks/foreign-networks.ts'
import { rangeLabel, withFreeSubnet } from '../networks/addresses.ts'
import { z } from 'zod'

export interface RequiredNetwork {
  key: string
  name: string
  network: ModelNetwork
  there: ExistingNetwork | undefined
}

type Application = Pick<ApplicationRow, 'id' | 'slug'>

export async function ensureComposeNetworks(run: DeploymentRun, model: Model): Promise<void> {
  const { docker } = getRunHost(run)
  const { ctx, application } = run
  const look = async () => requiredNetworks(application, model, await listNetworks(docker))
  const first = await look()
  if (first.every((one) => isUsable(application, one))) return
  // The lock of the server keeps two deployments from choosing the same subnet.
  await ctx.locks.withLock(networkLockKey(application.server_id), async (held) => {
    for (const one of await look())
      if (!isUsable(application, one)) await createIfMissing(run, await removeIfChanged(run, one), held)
  })
}

export const checkNetworks = (
  application: Application,
  wanted: readonly RequiredNetwork[],
): Record<'refused' | 'warnings', string[]> => ({
  refused: wanted.flatMap((one) => {
    const foreign = networkRefusal(application, one)
    if (foreign !== undefined) return [foreign]
    return one.network.external && !one.there ? [missing(one)] : []
  }),
  warnings: wanted.filter((one) => one.there && !isUsable(application, one)).map(differs),
})

export async function removeNetworks(
  { locks }: Pick<Context, 'locks'>,
  docker: Docker,
  application: Pick<ApplicationRow, 'id' | 'server_id'>,
  needed: ReadonlySet<string>,
): Promise<void> {
  const own = await listNetworks(docker, { label: `${slipwayLabels.application}=${application.id}` })
  const unneeded = own.filter(({ Name: name }) => !needed.has(name))
  if (unneeded.length === 0) return
  await locks.withLock(networkLockKey(application.server_id), async () => {
    for (const { Name: name } of unneeded) await removeIfUnused(docker, name)
  })
}

export function requiredNetworks(
  application: Application,
  model: Model,
  all: readonly ExistingNetwork[],
): RequiredNetwork[] {
  const keys = new Set(
    Object.values(model.services)
      .filter(hasNetworks)
      .flatMap(({ networks = {} }) => Object.keys(networks)),
  )
  return [...keys].map((key) => {
    const name = composeNetworkName(application, model, key)
    return {
      key,
      name,
      network: model.networks[key] ?? {},
      there: all.find((network) => network.Name === name),
    }
  })
}

const isUsable = (application: Application, one: RequiredNetwork) => {
  const { network, there } = one
  if (there === undefined || networkRefusal(application, one) !== undefined) return false
  return network.external === true || !isOwnedBy(application.id, there) || matchesDefinition(there, network)
}

const isOwnedBy = (id: string, { Labels }: ExistingNetwork) => Labels?.[slipwayLabels.application] === id

const missing = ({ key, name }: RequiredNetwork) =>
  `The external network ${key} does not exist: the server has no network ${name}. Create it, or remove \`external\` from the compose file.`

const differs = ({ key }: RequiredNetwork) =>
  `The definition of network ${key} changed. Stop the application and deploy again to recreate it.`

/** Docker cannot change a network, so it is recreated, but only while no container needs it. */
async function removeIfChanged(run: DeploymentRun, one: RequiredNetwork): Promise<RequiredNetwork> {
  if (!one.there) return one
  const { workspace_id, id } = run.application
  const instances = await listInstances(run.ctx.db, workspace_id, id)
  const { docker } = getRunHost(run)
  await run.stepEntered
  if (instances.every(({ state }) => state === 'stopped')) await removeIfUnused(docker, one.name)
  const left = (await listNetworks(docker)).find(({ Name }) => Name === one.name)
  return { ...one, there: left }
}

async function createIfMissing(run: DeploymentRun, one: RequiredNetwork, held: AbortSignal): Promise<void> {
  const foreign = networkRefusal(run.application, one)
  if (foreign !== undefined) throw new DeploymentFailed(foreign)
  if (one.network.external) throw new DeploymentFailed(missing(one))
  if (one.there) return run.log.write(`Warning: ${differs(one)}`)
  await run.stepEntered
  await createComposeNetwork(run, one, held)
}

async function createComposeNetwork(
  run: DeploymentRun,
  { name, network }: RequiredNetwork,
  held: AbortSignal,
): Promise<void> {
  const { docker } = getRunHost(run)
  const { id } = run.application
  const create = (places: ReturnType<typeof ipamEntries>, range?: string) => {
    const body = networkBody(network, places)
    const labels = { [slipwayLabels.application]: id, ...(range && { [rangeLabel]: range }) }
    return createNetwork(docker, held, { ...body, Name: name, Labels: { ...body.Labels, ...labels } })
  }
  const given = ipamEntries(network)
  if (hasIpv4(given)) return void (await create(given))
  await withFreeSubnet(toRunScope(run), defaultSubnetBits, held, (subnet, range) =>
    create([{ Subnet: subnet }, ...given], range),
  )
}

const defaultSubnetBits = 24

const ipam = z.looseObject({
  driver: z.string().optional(),
  options: z.record(z.string(), z.string()).optional(),
  config: z
    .array(
      z.looseObject({
        subnet: z.string().optional(),
        gateway: z.string().optional(),
        ip_range: z.string().optional(),
        aux_addresses: z.record(z.string(), z.string()).optional(),
      }),
    )
    .nullish(),
})

const ipamEntries = (network: ModelNetwork): IpamEntry[] =>
  (ipam.parse(network.ipam ?? {}).config ?? []).map(({ subnet, gateway, ip_range, aux_addresses }) => ({
    ...(subnet !== undefined && { Subnet: subnet }),
    ...(gateway !== undefined && { Gateway: gateway }),
    ...(ip_range !== undefined && { IPRange: ip_range }),
    ...(aux_addresses && { AuxiliaryAddresses: aux_addresses }),
  }))

const hasIpv4 = (places: readonly IpamEntry[]) => places.some(({ Subnet }) => Subnet?.includes('.'))

function networkBody(network: ModelNetwork, places: readonly IpamEntry[]) {
  const { driver, options } = ipam.parse(network.ipam ?? {})
  return {
    Driver: network.driver || 'bridge',
    Options: network.driver_opts ?? {},
    Internal: network.internal ?? false,
    Attachable: network.attachable ?? false,
    EnableIPv6: network.enable_ipv6 ?? false,
    Labels: network.labels ?? {},
    IPAM: {
      ...(driver !== undefined && { Driver: driver }),
      ...(options && { Options: options }),
      Config: places,
    },
  }
}

function matchesDefinition(there: ExistingNetwork, network: ModelNetwork): boolean {
  const places = ipamEntries(network)
  const wanted = networkBody(network, places)
  const have = there.IPAM?.Config ?? []
  return (
    there.Driver === wanted.Driver &&
    there.Internal === wanted.Internal &&
    there.Attachable === wanted.Attachable &&
    there.EnableIPv6 === wanted.EnableIPv6 &&
    hasSameEntries(there.Options, wanted.Options) &&
    hasSameEntries(withoutOwnLabels(there.Labels), wanted.Labels) &&
    places.every((place) => have.some((range) => covers(range, place)))
  )
}

const covers = (one: IpamEntry, { Subnet, Gateway = one.Gateway, IPRange = one.IPRange }: IpamEntry) =>
  one.Subnet === Subnet && one.Gateway === Gateway && one.IPRange === IPRange

type Texts = Record<string, string> | null

export function hasSameEntries(some: Texts, others: Texts): boolean {
  const [one, other] = [Object.entries(some ?? {}), others ?? {}]
  return (
    one.length === Object.keys(other).length &&
    one.every(([key, value]) => Object.hasOwn(other, key) && other[key] === value)
  )
}

const ownLabelNames = new Set<string>([slipwayLabels.application, rangeLabel])

export const withoutOwnLabels = (labels: Texts) =>
  Object.fromEntries(Object.entries(labels ?? {}).filter(([key]) => !ownLabelNames.has(key)))

import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { underLock } from '../../platform/locks.ts'
import type { Docker } from '../../remote/host.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { instanceLabels, listInstances } from '../applications/instance.ts'
import type { Model, ModelNetwork } from '../compose/model.ts'
import { appNetworkName } from '../compose/names.ts'
import { hasNetworks } from '../compose/own-network.ts'
import { networkNameOf, removeIfUnused } from '../servers/network.ts'
import { smallSubnetsIn } from './addresses.ts'
import { type Attempt, Failed, hostFor } from './attempt.ts'
import { listApplicationIds } from './own-names.ts'
import { createNetwork, findFree, isOverlap, tries } from './network.ts'
import {
  hasIpv4,
  isAsDefined,
  networkBody,
  type NetworkThere,
  placesIn,
  rangeLabel,
  rangesIn,
} from './network-definition.ts'

export interface WantedNetwork {
  key: string
  name: string
  network: ModelNetwork
  /** As Docker has it now. */
  there: NetworkThere | undefined
}

type Application = Pick<ApplicationRow, 'id' | 'slug'>

/** The networks by which its services reach each other are there. Safe to do again. */
export async function ensureComposeNetworks(attempt: Attempt, model: Model): Promise<void> {
  const { docker } = hostFor(attempt)
  const { ctx, application } = attempt
  const look = async () => networksFor(application, model, await listNetworks(docker))
  const first = await look()
  if (first.every((one) => isFit(application, one))) return
  // One at a time on a server, so that two do not choose the same addresses.
  await underLock(ctx.pool, networkNameOf(application.server_id), async (held) => {
    for (const one of await look())
      if (!isFit(application, one)) await settle(attempt, await letChangedGo(attempt, one), held)
  })
}

/** Of those that are wanted: what is missing, and what differs from the file and stays so, as sentences. */
export const lookAtNetworks = (
  application: Application,
  wanted: readonly WantedNetwork[],
): Record<'refused' | 'warnings', string[]> => ({
  refused: wanted.filter(({ network, there }) => network.external && !there).map(missing),
  warnings: wanted.filter((one) => one.there && !isFit(application, one)).map(differs),
})

/** Those of the application that no release needs any more, nor whatever still runs. */
export async function removeNetworks(
  { pool }: Pick<Context, 'pool'>,
  docker: Docker,
  application: Pick<ApplicationRow, 'id' | 'slug' | 'server_id'>,
  needing: readonly Model[],
): Promise<void> {
  const own = await listNetworks(docker, undefined, application.id)
  const needed = new Set(
    needing.flatMap((model) => networksFor(application, model, [])).map(({ name }) => name),
  )
  const going = own.filter(({ Name: name }) => !needed.has(name))
  if (going.length === 0) return
  await underLock(pool, networkNameOf(application.server_id), async () => {
    for (const { Name: name } of going) await removeIfUnused(docker, name)
  })
}

export function listNetworks(
  docker: Docker,
  signal?: AbortSignal,
  application?: Id<'application'>,
): Promise<NetworkThere[]> {
  const filters = application ? { label: [`${instanceLabels.application}=${application}`] } : {}
  const query = new URLSearchParams({ filters: JSON.stringify(filters) }).toString()
  return docker.json<NetworkThere[]>({ path: `/networks?${query}`, signal })
}

/** Those that a service is in. */
export function networksFor(
  application: Application,
  model: Model,
  all: readonly NetworkThere[],
): WantedNetwork[] {
  const keys = new Set(
    Object.values(model.services)
      .filter(hasNetworks)
      .flatMap(({ networks = {} }) => Object.keys(networks)),
  )
  return [...keys].map((key) => {
    const name = appNetworkName(application, model, key)
    return { key, name, network: model.networks[key] ?? {}, there: all.find((one) => one.Name === name) }
  })
}

/** One that others made is taken as it is. */
const isFit = ({ id }: Application, { network, there }: WantedNetwork) =>
  there !== undefined && (network.external === true || !isOf(id, there) || isAsDefined(there, network))

const isOf = (id: string, { Labels }: NetworkThere) => Labels?.[instanceLabels.application] === id

const missing = ({ key, name }: WantedNetwork) =>
  `The network ${key} is external, and there is no network ${name} on the server. Make it there, or take “external” out of the compose file.`

const differs = ({ key }: WantedNetwork) =>
  `The network ${key} is defined in another way by now. Docker cannot change a network that containers use, so that it stays as it is. Stop the application and deploy again to have it made anew.`

/** Docker cannot change a network. While something of the application runs, or is to run again, it has to stay. */
async function letChangedGo(attempt: Attempt, one: WantedNetwork): Promise<WantedNetwork> {
  if (!one.there) return one
  const { workspace_id, id } = attempt.application
  const instances = await listInstances(attempt.ctx.db, workspace_id, id)
  const { docker } = hostFor(attempt)
  await attempt.entered
  if (instances.every(({ state }) => state === 'stopped')) await removeIfUnused(docker, one.name)
  const left = (await listNetworks(docker)).find(({ Name }) => Name === one.name)
  return { ...one, there: left }
}

async function settle(attempt: Attempt, one: WantedNetwork, held: AbortSignal): Promise<void> {
  if (one.network.external) throw new Failed(missing(one))
  if (one.there) return attempt.log.say(`Warning: ${differs(one)}`)
  await attempt.entered
  await make(attempt, one, held)
}

/**
 * Docker gives each network a range as large as its pools say, so that there could be thirty of them on a server. Ours have
 * small ones within such a range.
 */
async function make(attempt: Attempt, { name, network }: WantedNetwork, held: AbortSignal): Promise<void> {
  const { docker } = hostFor(attempt)
  const { id } = attempt.application
  const create = (places: ReturnType<typeof placesIn>, range?: string) => {
    const body = networkBody(network, places)
    const labels = { [instanceLabels.application]: id, ...(range && { [rangeLabel]: range }) }
    return createNetwork(docker, held, { ...body, Name: name, Labels: { ...body.Labels, ...labels } })
  }
  const given = placesIn(network)
  if (hasIpv4(given)) return void (await create(given))
  for (let nth = 1; ; nth++) {
    const { subnet, range } = await chooseSubnet(attempt, held)
    try {
      return void (await create([{ Subnet: subnet }, ...given], range))
    } catch (error) {
      if (nth === tries || !isOverlap(error)) throw error
    }
  }
}

async function chooseSubnet(attempt: Attempt, held: AbortSignal): Promise<{ subnet: string; range: string }> {
  const { docker } = hostFor(attempt)
  const { ctx, server } = attempt
  const [all, applications] = await Promise.all([listNetworks(docker), listApplicationIds(ctx.db, server)])
  const taken = all
    .flatMap(({ IPAM }) => IPAM?.Config ?? [])
    .flatMap(({ Subnet }) => (Subnet?.includes('.') ? [Subnet] : []))
  for (const range of rangesIn(all, applications)) {
    const [subnet] = smallSubnetsIn(range, taken)
    if (subnet !== undefined) return { subnet, range }
  }
  const range = await findFree(docker, networkNameOf(server.id), held)
  return { subnet: smallSubnetsIn(range, taken)[0] ?? range, range }
}

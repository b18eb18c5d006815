import type { Context } from '../../../context.ts'
import { underLock } from '../../../platform/locks.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { instanceLabels, listInstances } from '../../applications/instance.ts'
import type { Model, ModelNetwork } from '../../compose/model.ts'
import { appNetworkName } from '../../compose/names.ts'
import { hasNetworks } from '../../compose/own-network.ts'
import { networkLockOf, removeIfUnused } from '../../servers/network.ts'
import { type Attempt, Failed, hostFor } from '../run/attempt.ts'
import { refusalOf } from '../networks/foreign-networks.ts'
import { createNetwork, labelOf, listNetworks, withFreeSubnet } from '../networks/network.ts'
import {
  hasIpv4,
  isAsDefined,
  networkBody,
  type NetworkThere,
  placesIn,
  rangeLabel,
} from '../networks/network-definition.ts'

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
  await underLock(ctx.pool, networkLockOf(application.server_id), async (held) => {
    for (const one of await look())
      if (!isFit(application, one)) await settle(attempt, await letChangedGo(attempt, one), held)
  })
}

/** Of those that are wanted: what is missing, and what differs from the file and stays so, as sentences. */
export const lookAtNetworks = (
  application: Application,
  wanted: readonly WantedNetwork[],
): Record<'refused' | 'warnings', string[]> => ({
  refused: wanted.flatMap((one) => {
    const foreign = refusalOf(application, one)
    if (foreign !== undefined) return [foreign]
    return one.network.external && !one.there ? [missing(one)] : []
  }),
  warnings: wanted.filter((one) => one.there && !isFit(application, one)).map(differs),
})

/** Those of the application that are not among `needed`, by name, and that no container uses. */
export async function removeNetworks(
  { pool }: Pick<Context, 'pool'>,
  docker: Docker,
  application: Pick<ApplicationRow, 'id' | 'server_id'>,
  needed: ReadonlySet<string>,
): Promise<void> {
  const own = await listNetworks(docker, { label: labelOf(application.id) })
  const going = own.filter(({ Name: name }) => !needed.has(name))
  if (going.length === 0) return
  await underLock(pool, networkLockOf(application.server_id), async () => {
    for (const { Name: name } of going) await removeIfUnused(docker, name)
  })
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

/** One that the file names and that others created on the server is taken as it is. */
const isFit = (application: Application, one: WantedNetwork) => {
  const { network, there } = one
  if (there === undefined || refusalOf(application, one) !== undefined) return false
  return network.external === true || !isOf(application.id, there) || isAsDefined(there, network)
}

const isOf = (id: string, { Labels }: NetworkThere) => Labels?.[instanceLabels.application] === id

const missing = ({ key, name }: WantedNetwork) =>
  `The external network ${key} does not exist: the server has no network ${name}. Create it, or remove \`external\` from the compose file.`

const differs = ({ key }: WantedNetwork) =>
  `The definition of network ${key} changed. Stop the application and deploy again to recreate it.`

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
  const foreign = refusalOf(attempt.application, one)
  if (foreign !== undefined) throw new Failed(foreign)
  if (one.network.external) throw new Failed(missing(one))
  if (one.there) return attempt.log.say(`Warning: ${differs(one)}`)
  await attempt.entered
  await make(attempt, one, held)
}

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
  await withFreeSubnet(attempt, bits, held, (subnet, range) => create([{ Subnet: subnet }, ...given], range))
}

/** The size of a network that a file names without choosing its addresses, as it is written. */
const bits = 24

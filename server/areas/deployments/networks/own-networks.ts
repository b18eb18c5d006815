import type { Context } from '../../../context.ts'
import { underLock } from '../../../platform/locks.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { instanceLabels, type Instance, listInstancesOn } from '../../applications/instance.ts'
import { findNetworkProject, listNetworkProjects } from '../../applications/project.ts'
import type { Model } from '../../compose/model.ts'
import { joinsOwn, joinsProject, ownNetworkOf } from '../../compose/own-network.ts'
import {
  applicationNetworkOf,
  networkLockOf,
  projectNetworkOf,
  removeIfUnused,
  removeSharedNetwork,
  sharedNetworkOf,
} from '../../servers/network.ts'
import type { Subnet } from './addresses.ts'
import type { Attempt } from '../run/attempt.ts'
import { projectNameProblems } from './name-problems.ts'
import { ensureNetwork, listNetworks, type WantedOwn } from './network.ts'
import { targetsOf } from './targets-of.ts'

/** Say of which project a network is, and of which workspace: another one may have the same machine as a server. */
const [projectLabel, workspaceLabel] = ['slipway.project', 'slipway.workspace']

/** Sizes, as they are written: an image has few containers, a file or a project may have many. */
const [imageBits, fileBits, projectBits] = [26, 24, 22]

/** Where a container has its address. */
export interface OwnPlace {
  network: string
  subnet: Subnet
}

/** Creates the network in which the containers of a service have their addresses; nothing for one that has none. */
export async function ensureOwnNetwork(
  attempt: Attempt,
  service: string,
  model: Model | undefined,
): Promise<OwnPlace | undefined> {
  const { application, entered } = attempt
  const of = model?.services[service]
  const { name, internal } =
    model && of
      ? ownNetworkOf(application, of, model)
      : { name: applicationNetworkOf(application.id), internal: false }
  if (model && of && !joinsOwn(of, model, (await targetsOf(attempt, service)).length > 0)) return undefined
  const wanted = ownNetwork(application.id, name, { internal, bits: model ? fileBits : imageBits })
  return { network: name, subnet: await ensureNetwork(attempt, wanted, () => entered) }
}

export const ownNetwork = (
  application: ApplicationRow['id'],
  name = applicationNetworkOf(application),
  { internal = false, bits = imageBits } = {},
): WantedOwn => ({
  name,
  owner: [instanceLabels.application, application],
  bits,
  internal,
  isLaidOut: true,
})

/** Creates the network of its project, where that has one, and resolves with its name. */
export async function ensureProjectNetwork(attempt: Attempt): Promise<string | null> {
  const { ctx, application, entered } = attempt
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  if (!project) return null
  const name = projectNetworkOf(project.id)
  const owner = [projectLabel, project.id] as const
  const labels = { [workspaceLabel]: application.workspace_id }
  const wanted = { name, owner, labels, bits: projectBits, internal: false, isLaidOut: false }
  await ensureNetwork(attempt, wanted, () => entered)
  return name
}

/** Whether containers of a service join the network of the project. An application of a single image always does. */
export async function joinsProjectNetwork(
  attempt: Attempt,
  service: string,
  model: Model | undefined,
): Promise<boolean> {
  const of = model?.services[service]
  if (!model || !of) return true
  const routed = (await targetsOf(attempt, service)).length > 0
  // The names were checked with the domains of that time, and one may have been added since.
  const alone = { ...model, services: { [service]: of } }
  const problems = projectNameProblems(attempt.application, alone, new Set([service]))
  return joinsProject(of, model, routed) && problems.length === 0
}

/** The names of those that containers of an application are in, or are to be in again. */
export const networksInUse = (instances: readonly Instance[]): string[] =>
  instances.flatMap(({ network, project_network }) => [network, project_network].flatMap((one) => one ?? []))

/**
 * Networks of projects and the one that all applications shared, once no application of the server needs them. A stopped
 * container does not keep Docker from removing its network, so the rows are asked.
 */
export async function removeSpareNetworks(
  { pool, db }: Pick<Context, 'pool' | 'db'>,
  docker: Docker,
  { workspace_id, server_id, id, deleting_at }: ApplicationRow,
): Promise<void> {
  const all = await listNetworks(docker, { label: `${workspaceLabel}=${workspace_id}` })
  const instances = await listInstancesOn(db, workspace_id, server_id)
  const used = new Set([
    ...networksInUse(instances.filter((one) => deleting_at === null || one.application_id !== id)),
    ...(await listNetworkProjects(db, workspace_id, server_id)).map(projectNetworkOf),
  ])
  const spare = all.map(({ Name: name }) => name).filter((name) => !used.has(name))
  const isShared = used.has(sharedNetworkOf(server_id))
  await underLock(pool, networkLockOf(server_id), async () => {
    for (const name of spare) await removeIfUnused(docker, name)
    if (!isShared) await removeSharedNetwork(docker, server_id)
  })
}

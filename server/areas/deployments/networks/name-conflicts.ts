import { slipwayLabels } from '../../containers/slipway-labels.ts'
import { type ApplicationRow, findNetworkProject } from '../../applications/application.ts'
import {
  isSameHost,
  listNetworkNames,
  type NetworkName,
  nameProblems,
  toNetworkNames,
} from '../../applications/networks.ts'
import { projectAlias } from '../../compose/docker-names.ts'
import type { Model } from '../../compose/model.ts'
import { hasNetworks, isReachableInProject } from '../../compose/proxy-network.ts'
import { projectNetworkName } from '../../servers/docker-networks.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { composePorts } from '../containers/published-ports.ts'
import { listRoutedServices } from '../containers/route-targets.ts'
import type { ServerScope } from '../run/deployment-run.ts'

export async function listNameConflicts(
  of: ServerScope,
  model: Model,
  signal: AbortSignal,
): Promise<string[]> {
  const { ctx, application, server } = of
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  const fixed = Object.entries(model.services).flatMap(([service, { container_name: name }]) =>
    name === undefined ? [] : [{ service, name }],
  )
  const own = listModelHostNames(application, model)
  const [had, routed, containers] = await Promise.all([
    listNetworkNames(ctx.db, application, application.id),
    listRoutedServices(ctx.db, application, composePorts(model, server).viaProxy),
    getServerHost(ctx, server).docker.json<ListedContainer[]>({ path: '/containers/json?all=1', signal }),
  ])
  const others = containersNamed(
    containers.filter(({ Labels }) => Labels?.[slipwayLabels.application] !== application.id),
    [...own, ...fixed].map(({ name }) => name),
    project && projectNetworkName(project.id),
  )
  const isTaken = (name: string) => others.some((other) => other.name === name)
  return [
    ...fixed
      .filter(({ name }) => isTaken(name))
      .map(({ service, name }) => containerNameInUse(server, service, name)),
    ...(project ? projectNameProblems(application, model, routed) : []),
    // A conflicting container_name is reported above already.
    ...nameProblems(
      own.filter(({ name }) => !(isTaken(name) && fixed.some((entry) => entry.name === name))),
      [...had, ...others.filter(({ isReached }) => isReached)],
    ),
  ]
}

const containerNameInUse = ({ name: server }: ServerRow, service: string, name: string) =>
  `The container_name ${name} of ${service} is already used by another container on ${server}. Choose another name, or remove that container.`

/** Docker resolves container names and host names in every network. */
export function listModelHostNames(
  { slug }: Pick<ApplicationRow, 'slug'>,
  { services }: Model,
): NetworkName[] {
  const reached = Object.entries(services).filter(([, service]) => hasNetworks(service))
  return [
    ...toNetworkNames(
      slug,
      reached.map(([service]) => service),
    ),
    ...reached.flatMap(([service, { container_name, hostname, domainname }]) =>
      [container_name, hostname, hostname && domainname && `${hostname}.${domainname}`]
        .flatMap((name) => name || [])
        .map((name) => ({ name, who: `The service ${service}` })),
    ),
  ]
}

const chosen = ['container_name', 'hostname', 'domainname'] as const

/** Refuses extra host names in the project network, because another application could have a service of that name. */
export const projectNameProblems = (
  application: Pick<ApplicationRow, 'slug'>,
  model: Model,
  routed: ReadonlySet<string>,
): string[] =>
  Object.entries(model.services)
    .filter(([name, service]) => isReachableInProject(service, model, routed.has(name)))
    .flatMap(([name, service]) => {
      const alias = projectAlias(application, name)
      return chosen.flatMap((key) => {
        const value = service[key]
        return value === undefined || value === '' || isSameHost(value, alias)
          ? []
          : [
              `The ${key} ${value} of ${name} could conflict with other hosts in the project network. Remove it from the compose file; other applications reach ${name} at ${alias}.`,
            ]
      })
    })

interface ListedContainer {
  Names: string[] | null
  Labels: Record<string, string> | null
  NetworkSettings: { Networks: Record<string, unknown> | null } | null
}

export const containersNamed = (
  containers: readonly Omit<ListedContainer, 'Labels'>[],
  names: readonly string[],
  network: string | undefined,
) =>
  containers.flatMap(({ Names, NetworkSettings }) =>
    (Names ?? [])
      .map((one) => one.replace(/^\//, ''))
      .filter((name) => names.some((one) => isSameHost(one, name)))
      .map((name) => ({
        name,
        who: `the container ${name}`,
        isReached: network !== undefined && Object.hasOwn(NetworkSettings?.Networks ?? {}, network),
      })),
  )

import type { Docker } from '../../../remote/host.ts'
import { proxyContainer } from '../../../remote/proxy/container.ts'
import { slipwayLabels } from '../../containers/slipway-labels.ts'
import type { Model, ModelNetwork, Service } from '../../compose/model.ts'
import { type ExistingNetwork, slipwayPrefix } from '../../servers/docker-networks.ts'
import { DeploymentFailed } from '../run/deployment-run.ts'
import { type ContainerInspection, findInspection } from '../../containers/docker-container.ts'

interface NetworkUse {
  key: string
  name: string
  network: ModelNetwork
  there: ExistingNetwork | undefined
}

export function networkRefusal(
  { id }: { id: string },
  { key, name, network, there }: NetworkUse,
): string | undefined {
  if (name.startsWith(slipwayPrefix))
    return `The network ${key} has the name ${name}, which is reserved for Slipway. Choose another name in the compose file. ${projectNetwork}`
  if (networkId.test(name))
    return `The network ${key} has the name ${name}, which looks like a Docker network ID. Choose another name in the compose file.`
  const owner = there?.Labels?.[slipwayLabels.application]
  if (owner !== undefined && owner !== id)
    return `The network ${key} (${name}) belongs to another application. Remove it from the compose file. ${projectNetwork}`
  // Somebody else may have created a network with the generated name to reach containers that join it.
  const isNamedByFile = network.external === true || network.name !== undefined
  return there && owner === undefined && !isNamedByFile
    ? `The network ${name} on the server was not created by Slipway for this application. Remove it, then deploy again.`
    : undefined
}

/** Docker also resolves names that look like (shortened) network IDs. */
const networkId = /^[0-9a-f]{12,64}$/

const projectNetwork =
  'To reach another application, add both applications to one project and enable the project network, or use a domain or a published port.'

const shared = ['network_mode', 'pid', 'ipc'] as const

export async function foreignContainers(
  application: { id: string },
  docker: Pick<Docker, 'json'>,
  { services }: Model,
  signal: AbortSignal,
): Promise<string[]> {
  const refusals = await Promise.all(
    Object.entries(services).map(async ([name, service]) => {
      const containers = await findShared(docker, service, signal)
      return containers.flatMap((container) => foreignRefusal(application, name, container) ?? [])
    }),
  )
  return refusals.flat()
}

/** Replaces container names by IDs: another container may get the name after the check. */
export async function pinSharedContainers(
  application: { id: string },
  docker: Pick<Docker, 'json'>,
  name: string,
  service: Service,
): Promise<Service> {
  const containers = await findShared(docker, service)
  for (const container of containers) {
    const refusal = foreignRefusal(application, name, container)
    if (refusal !== undefined) throw new DeploymentFailed(refusal)
  }
  const pinned = containers.flatMap(({ key, inspected }) =>
    inspected ? [[key, `container:${inspected.Id}`] as const] : [],
  )
  return { ...service, ...Object.fromEntries(pinned) }
}

interface SharedContainer {
  key: (typeof shared)[number]
  container: string
  inspected: ContainerInspection | undefined
}

const findShared = (
  docker: Pick<Docker, 'json'>,
  service: Service,
  signal?: AbortSignal,
): Promise<SharedContainer[]> =>
  Promise.all(
    shared
      .filter((key) => service[key]?.startsWith('container:'))
      .map(async (key) => {
        const container = (service[key] ?? '').slice('container:'.length)
        return {
          key,
          container,
          inspected: await findInspection(docker, encodeURIComponent(container), signal),
        }
      }),
  )

function foreignRefusal(
  { id }: { id: string },
  service: string,
  { key, container, inspected }: SharedContainer,
): string | undefined {
  const owner = inspected?.Config.Labels?.[slipwayLabels.application]
  const isProxy = inspected?.Name === `/${proxyContainer}`
  if (!isProxy && (owner === undefined || owner === id)) return undefined
  const whose = isProxy ? 'is the proxy of the server' : 'belongs to another application'
  return `${service} uses ${key}: container:${container}, but this container ${whose}. Remove ${key} from the compose file. ${projectNetwork}`
}

import type { Docker } from '../../remote/host.ts'
import { proxyContainer } from '../../remote/proxy/container.ts'
import { inspect } from '../containers/inspect.ts'
import { ownLabels } from '../containers/own-labels.ts'
import type { Model, ModelNetwork } from '../compose/model.ts'
import { ownPrefix } from '../servers/network.ts'
import type { NetworkThere } from './network-definition.ts'

interface Named {
  key: string
  name: string
  network: ModelNetwork
  there: NetworkThere | undefined
}

/** Why an application may not use a network, as a sentence: it is Slipway's own, or belongs to another application. */
export function refusalOf({ id }: { id: string }, { key, name, network, there }: Named): string | undefined {
  if (name.startsWith(ownPrefix))
    return `The network ${key} is ${name}, which is Slipway’s own. Choose another name in the compose file. ${projectNetwork}`
  const owner = there?.Labels?.[ownLabels.application]
  if (owner !== undefined && owner !== id)
    return `The network ${key} is ${name}, which belongs to another application. Take it out of the compose file. ${projectNetwork}`
  // Under a name that only this application uses, one of others was put there to be joined.
  const isNamedByFile = network.external === true || network.name !== undefined
  return there && owner === undefined && !isNamedByFile
    ? `The network ${name} is on the server, and this application did not create it. Remove it there, then deploy again.`
    : undefined
}

const projectNetwork =
  'To reach another application, put both into one project and turn on its network, or use a domain or a published port.'

const shared = ['network_mode', 'pid', 'ipc'] as const

/** Containers of others whose namespaces services of the file would share, as sentences. */
export async function foreignContainers(
  { id }: { id: string },
  docker: Docker,
  { services }: Model,
  signal: AbortSignal,
): Promise<string[]> {
  const named = Object.entries(services).flatMap(([service, of]) =>
    shared.flatMap((key) => {
      const mode = of[key] ?? ''
      return mode.startsWith('container:') ? [{ service, key, container: mode.slice(10) }] : []
    }),
  )
  const said = await Promise.all(
    named.map(async ({ service, key, container }) => {
      const found = await inspect(docker, encodeURIComponent(container), signal)
      const owner = found?.Config.Labels?.[ownLabels.application]
      const isProxy = found?.Name === `/${proxyContainer}`
      if (!isProxy && (owner === undefined || owner === id)) return []
      const whose = isProxy ? 'is the proxy of the server' : 'belongs to another application'
      return [
        `${service} has ${key}: container:${container}, which ${whose}. Take it out of the compose file. ${projectNetwork}`,
      ]
    }),
  )
  return said.flat()
}

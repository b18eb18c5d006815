import type { Model, Service } from './model.ts'
import { formatNames } from '../../../contract/shared/format-list.ts'
import { sharedServiceName } from './start-order.ts'
import { isDockerSocket } from './privileges/host-paths.ts'
import { isPublishedByDocker, portsInRange } from './ports.ts'
import { readReplicas } from './read/read-service.ts'
import { rollLabel } from './read/read-model.ts'

export function rollingUpdateBlockers(name: string, model: Model, replaced: ReadonlySet<string>): string[] {
  const service = model.services[name] ?? {}
  const roll = service.labels?.[rollLabel]
  return [
    ...(roll === 'false' ? [`Rolling updates are turned off by the label ${rollLabel}.`] : []),
    ...exclusiveReasons(service),
    ...sharedWriteReasons(service, model),
    ...companionReasons(service, replaced),
  ]
}

function exclusiveReasons(service: Service): string[] {
  const { container_name, network_mode = '', networks = {}, mac_address, ports = [] } = service
  const hasFixedAddress = Object.values(networks).some(
    (network) => network?.ipv4_address ?? network?.ipv6_address ?? network?.mac_address,
  )
  const reasons: string[] = []
  if (container_name !== undefined)
    reasons.push(`Only one container at a time can use the container_name ${container_name}.`)
  if (network_mode === 'host')
    reasons.push('Only one container at a time can use its ports in the host network.')
  if (/^(service|container):/.test(network_mode)) reasons.push('Shares the network of another container.')
  if (hasFixedAddress || mac_address !== undefined)
    reasons.push('Only one container at a time can use its static address.')
  for (const name of ['udp', 'sctp']) {
    const used = ports.flatMap(({ published, protocol = 'tcp' }) =>
      protocol === name && published !== undefined && network_mode !== 'host' ? [published] : [],
    )
    const [first, ...more] = used
    if (first !== undefined)
      reasons.push(
        `${more.length === 0 ? `Port ${first} uses` : `Ports ${formatNames(used)} use`} ${name.toUpperCase()}, which the proxy does not support.`,
      )
  }
  return reasons
}

/** Two instances of a database could corrupt their shared files; other writers are the user's choice. */
function sharedWriteReasons(service: Service, model: Model): string[] {
  if (!isSingleWriter(service)) return []
  return [...writtenSources(service, model)].map(
    (source) =>
      `Writes to ${source}. If two containers can write at the same time, set the label ${rollLabel}: "true" for rolling updates.`,
  )
}

/** Several replicas mean that concurrent writes are intended. */
export const isSingleWriter = (service: Service) =>
  readReplicas(service) === 1 && service.labels?.[rollLabel] !== 'true'

export function writtenSources(
  { volumes = [], volumes_from = [] }: Service,
  model: Pick<Model, 'services'>,
  seen: readonly string[] = [],
): Set<string> {
  const own = volumes.flatMap(({ type, source, read_only }) =>
    read_only || source === undefined || type === 'tmpfs' || isDockerSocket(source) ? [] : [source],
  )
  const others = volumes_from.flatMap((line) => {
    const [name = '', mode] = line.split(':')
    const definition = Object.hasOwn(model.services, name) ? model.services[name] : undefined
    return !definition || mode === 'ro' || seen.includes(name)
      ? []
      : [...writtenSources(definition, model, [...seen, name])]
  })
  return new Set([...own, ...others])
}

export function companionReasons(service: Service, replaced: ReadonlySet<string>): string[] {
  const { network_mode, pid, ipc, depends_on = {} } = service
  const shared = Object.entries({ network: network_mode, 'process namespace': pid, 'IPC namespace': ipc })
  return [
    ...shared.flatMap(([what, mode]) => {
      const shared = sharedServiceName(mode)
      return shared !== undefined && replaced.has(shared)
        ? [`Shares the ${what} of ${shared}, which is replaced.`]
        : []
    }),
    ...Object.entries(depends_on).flatMap(([dependency, { restart }]) =>
      restart && replaced.has(dependency) ? [`Restarts with ${dependency}, which is replaced.`] : [],
    ),
  ]
}

interface ServiceInModel {
  service: Service
  model: Model
}

export const hasResourceConflict = (a: ServiceInModel, b: ServiceInModel): boolean =>
  meet(exclusiveResources(a.service), exclusiveResources(b.service))

/** After renaming a service, the new one takes over the files or host ports of the old one. */
export const takesOverResources = (a: ServiceInModel, b: ServiceInModel): boolean =>
  [a, b].every(({ service }) => service.network_mode === 'host') ||
  (isSingleWriter(a.service) &&
    meet([...writtenSources(a.service, a.model)], [...writtenSources(b.service, b.model)]))

function exclusiveResources({ container_name, networks = {}, ports = [] }: Service): string[] {
  return [
    ...(container_name === undefined ? [] : [`name ${container_name}`]),
    ...Object.entries(networks).flatMap(([key, network]) =>
      [network?.ipv4_address, network?.ipv6_address, network?.mac_address].flatMap((address) =>
        address === undefined ? [] : [`address ${key} ${address}`],
      ),
    ),
    ...ports
      .filter(isPublishedByDocker)
      .flatMap(({ published = '', protocol = '' }) =>
        portsInRange(published).map((port) => `port ${protocol} ${port}`),
      ),
  ]
}

const meet = (some: string[], others: string[]) => some.some((item) => others.includes(item))

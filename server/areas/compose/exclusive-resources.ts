import type { Model, Service } from './model.ts'
import { portsInRange } from './port-range.ts'
import { isPublishedByDocker } from './published-by-docker.ts'
import { isSingleWriter, writtenSources } from './recreate-reasons.ts'

interface ServiceInModel {
  service: Service
  model: Model
}

/** The new container cannot be created or started while the other exists. */
export const hasResourceConflict = (one: ServiceInModel, other: ServiceInModel): boolean =>
  meet(exclusiveResources(one.service), exclusiveResources(other.service))

/**
 * The new service takes over files or host ports of a service that the file no longer has, as after renaming a
 * service.
 */
export const takesOverResources = (one: ServiceInModel, other: ServiceInModel): boolean =>
  [one, other].every(({ service }) => service.network_mode === 'host') ||
  (isSingleWriter(one.service) &&
    meet([...writtenSources(one.service, one.model)], [...writtenSources(other.service, other.model)]))

/** Resources that only one container can hold, as comparable keys. */
function exclusiveResources({ container_name, networks = {}, ports = [] }: Service): string[] {
  return [
    ...(container_name === undefined ? [] : [`name ${container_name}`]),
    ...Object.entries(networks).flatMap(([key, of]) =>
      [of?.ipv4_address, of?.ipv6_address, of?.mac_address].flatMap((address) =>
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

const meet = (some: string[], others: string[]) => some.some((one) => others.includes(one))

import type { Model, Service } from './model.ts'
import { portsInRange } from './port-range.ts'
import { isPublishedByDocker } from './published-by-docker.ts'
import { isSingleWriter, writtenSources } from './recreate-reasons.ts'

interface ServiceInModel {
  service: Service
  model: Model
}

/** Whether a container of the new one cannot be made, or started, while one of the other is as it is. */
export const hasResourceConflict = (one: ServiceInModel, other: ServiceInModel): boolean =>
  meet(exclusiveResources(one.service), exclusiveResources(other.service))

/**
 * Whether the new one takes up what the other leaves, which the file no longer has: its files, or its ports in the
 * server's network. So it is with a service that was given another name.
 */
export const takesOverResources = (one: ServiceInModel, other: ServiceInModel): boolean =>
  [one, other].every(({ service }) => service.network_mode === 'host') ||
  (isSingleWriter(one.service) &&
    meet([...writtenSources(one.service, one.model)], [...writtenSources(other.service, other.model)]))

/** What can be had by one container at a time, each in words of its own. */
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

import type { Model, Service } from './model.ts'
import { rangeOf } from './port-range.ts'
import { isByDocker } from './published-by-docker.ts'
import { isSingleWriter, writtenBy } from './recreate.ts'

interface Of {
  service: Service
  model: Model
}

/** Whether a container of the new one cannot be made, or started, while one of the other is as it is. */
export const clashes = (one: Of, other: Of): boolean => meet(onlyOnce(one.service), onlyOnce(other.service))

/**
 * Whether the new one takes up what the other leaves, which the file no longer has: its files, or its ports in the
 * server's network. So it is with a service that was given another name.
 */
export const follows = (one: Of, other: Of): boolean =>
  [one, other].every(({ service }) => service.network_mode === 'host') ||
  (isSingleWriter(one.service) &&
    meet([...writtenBy(one.service, one.model)], [...writtenBy(other.service, other.model)]))

/** What can be had by one container at a time, each in words of its own. */
function onlyOnce({ container_name, networks = {}, ports = [] }: Service): string[] {
  return [
    ...(container_name === undefined ? [] : [`name ${container_name}`]),
    ...Object.entries(networks).flatMap(([key, of]) =>
      [of?.ipv4_address, of?.ipv6_address, of?.mac_address].flatMap((address) =>
        address === undefined ? [] : [`address ${key} ${address}`],
      ),
    ),
    ...ports
      .filter(isByDocker)
      .flatMap(({ published = '', protocol = '' }) =>
        rangeOf(published).map((port) => `port ${protocol} ${port}`),
      ),
  ]
}

const meet = (some: string[], others: string[]) => some.some((one) => others.includes(one))

import { ownLabels } from '../containers/own-labels.ts'
import { secondsOf } from './duration.ts'
import { type Endpoint, endpointsOf, type Making } from './endpoints.ts'
import { hostConfigOf, shared } from './host-config.ts'
import type { Service } from './model.ts'
import { serviceContainerName } from './names.ts'
import { hasNetworks } from './own-network.ts'
import { bindingsOf, exposedOf } from './published-by-docker.ts'
import { stopSecondsOf } from './read/read-service.ts'

/** What Docker is asked to make, and the networks that it is connected to before it starts. */
export interface Specification {
  name: string
  /** As the file asks for it; else that of the image. */
  platform: string | undefined
  body: Record<string, unknown>
  connect: Endpoint[]
}

/** What Docker is asked to make for one container of a service. */
export function containerOf(making: Making): Specification {
  const { application, release, instance, name, model, imageId } = making
  const service = model.services[name] ?? {}
  const endpoints = endpointsOf(making)
  const first = hasNetworks(service) ? endpoints[0] : undefined
  return {
    name: serviceContainerName(application, release, instance, name, service),
    platform: service.platform,
    body: {
      ...processOf(service),
      ...given('MacAddress', cardOf(service)),
      Image: imageId,
      Labels: {
        ...service.labels,
        [ownLabels.application]: application.id,
        [ownLabels.instance]: instance.id,
        [ownLabels.release]: release.id,
        [ownLabels.service]: name,
      },
      ExposedPorts: exposedOf(service),
      HostConfig: {
        ...hostConfigOf(making, service),
        NetworkMode: first?.network ?? shared(making, service.network_mode) ?? 'none',
        PortBindings: bindingsOf(service),
      },
      ...(first && { NetworkingConfig: { EndpointsConfig: { [first.network]: first.config } } }),
    },
    connect: endpoints.filter((endpoint) => endpoint !== first),
  }
}

const cardOf = ({ mac_address, networks = {} }: Service) =>
  mac_address ?? Object.values(networks).find((of) => of?.mac_address !== undefined)?.mac_address

/** The program in it. */
const processOf = (service: Service) => ({
  ...given('Cmd', service.command),
  ...given('Entrypoint', service.entrypoint),
  // One without a value takes away what the image has.
  Env: Object.entries(service.environment ?? {})
    .map(([key, value]) => (value === null ? key : `${key}=${value}`))
    .toSorted(),
  ...given('User', service.user),
  ...given('WorkingDir', service.working_dir),
  ...given('Hostname', service.hostname),
  ...given('Domainname', service.domainname),
  ...given('Tty', service.tty),
  ...given('OpenStdin', service.stdin_open),
  ...given('StopSignal', service.stop_signal),
  StopTimeout: stopSecondsOf(service),
  ...given('Healthcheck', service.healthcheck && healthcheckOf(service.healthcheck)),
})

function healthcheckOf(check: NonNullable<Service['healthcheck']>) {
  if (check.disable) return { Test: ['NONE'] }
  return {
    ...given('Test', check.test),
    ...given('Interval', nanoseconds(check.interval)),
    ...given('Timeout', nanoseconds(check.timeout)),
    ...given('StartPeriod', nanoseconds(check.start_period)),
    ...given('Retries', check.retries),
  }
}

const nanoseconds = (duration: string | undefined) => {
  const seconds = secondsOf(duration ?? '')
  return seconds === undefined ? undefined : Math.round(seconds * 1e9)
}

/** What the file does not say is the image's or Docker's to choose. */
const given = (key: string, value: unknown): Record<string, unknown> =>
  value === undefined ? {} : { [key]: value }

import { slipwayLabels } from '../containers/slipway-labels.ts'
import { parseDuration, readStopSeconds } from './read/read-service.ts'
import { type Endpoint, networkEndpoints, type ContainerInput } from './endpoints.ts'
import { toHostConfig, namespaceMode } from './host-config.ts'
import type { Service } from './model.ts'
import { serviceContainerName } from './docker-names.ts'
import { hasNetworks } from './proxy-network.ts'
import { exposedPorts, portBindings } from './ports.ts'

export interface DockerContainerSpec {
  name: string
  platform: string | undefined
  body: Record<string, unknown>
  connect: Endpoint[]
}

export function containerSpec(making: ContainerInput): DockerContainerSpec {
  const { application, release, instance, name, model, imageId } = making
  const service = model.services[name] ?? {}
  const endpoints = networkEndpoints(making)
  const first = hasNetworks(service) ? endpoints[0] : undefined
  return {
    name: serviceContainerName(application, release, instance, name, service),
    platform: service.platform,
    body: {
      ...toProcess(service),
      ...optionalField('MacAddress', findMacAddress(service)),
      Image: imageId,
      Labels: {
        ...service.labels,
        [slipwayLabels.application]: application.id,
        [slipwayLabels.instance]: instance.id,
        [slipwayLabels.release]: release.id,
        [slipwayLabels.service]: name,
      },
      ExposedPorts: exposedPorts(service),
      HostConfig: {
        ...toHostConfig(making, service),
        NetworkMode: first?.network ?? namespaceMode(making, service.network_mode) ?? 'none',
        PortBindings: portBindings(service),
      },
      ...(first && { NetworkingConfig: { EndpointsConfig: { [first.network]: first.config } } }),
    },
    connect: endpoints.filter((endpoint) => endpoint !== first),
  }
}

const findMacAddress = ({ mac_address, networks = {} }: Service) =>
  mac_address ?? Object.values(networks).find((network) => network?.mac_address !== undefined)?.mac_address

const toProcess = (service: Service) => ({
  ...optionalField('Cmd', service.command),
  ...optionalField('Entrypoint', service.entrypoint),
  // A variable without a value removes that of the image.
  Env: Object.entries(service.environment ?? {})
    .map(([key, value]) => (value === null ? key : `${key}=${value}`))
    .toSorted(),
  ...optionalField('User', service.user),
  ...optionalField('WorkingDir', service.working_dir),
  ...optionalField('Hostname', service.hostname),
  ...optionalField('Domainname', service.domainname),
  ...optionalField('Tty', service.tty),
  ...optionalField('OpenStdin', service.stdin_open),
  ...optionalField('StopSignal', service.stop_signal),
  StopTimeout: readStopSeconds(service),
  ...optionalField('Healthcheck', service.healthcheck && toHealthcheck(service.healthcheck)),
})

function toHealthcheck(check: NonNullable<Service['healthcheck']>) {
  if (check.disable) return { Test: ['NONE'] }
  return {
    ...optionalField('Test', check.test),
    ...optionalField('Interval', nanoseconds(check.interval)),
    ...optionalField('Timeout', nanoseconds(check.timeout)),
    ...optionalField('StartPeriod', nanoseconds(check.start_period)),
    ...optionalField('StartInterval', nanoseconds(check.start_interval)),
    ...optionalField('Retries', check.retries),
  }
}

const nanoseconds = (duration: string | undefined) => {
  const seconds = parseDuration(duration ?? '')
  return seconds === undefined ? undefined : Math.round(seconds * 1e9)
}

/** Omits unset keys, so that the image or Docker decides. */
const optionalField = (key: string, value: unknown): Record<string, unknown> =>
  value === undefined ? {} : { [key]: value }

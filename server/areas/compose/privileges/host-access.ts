import { bindMountAccess } from './host-paths.ts'
import { buildAccess } from './build-access.ts'
import { isNonDefaultCapability, isWeakSecurityOption } from '../../containers/host-access.ts'
import type { Model, Service } from '../model.ts'
import { networkAccess, type ServerRoute } from './network-access.ts'
import { formatRedactedOptions, volumeAccess } from './volume-access.ts'

/**
 * Lists access to the host or to resources outside the application. `folder` is the application's folder; `own` are
 * names of volumes and networks that the workspace's applications created; `routes` are the server's.
 */
export const listHostAccess = (
  model: Model,
  folder: string,
  own: ReadonlySet<string>,
  routes: readonly ServerRoute[] = [],
): string[] => [
  ...new Set([
    ...Object.entries(model.services).flatMap(([name, service]) => [
      ...namespaces(name, service),
      ...devices(name, service),
      ...others(name, service),
      ...buildAccess(name, service, folder),
    ]),
    ...bindMountAccess(model, folder),
    ...Object.entries(model.volumes).flatMap(([key, volume]) => volumeAccess(key, volume, own)),
    ...Object.entries(model.networks).flatMap(([key, network]) => networkAccess(key, network, own, routes)),
  ]),
]

const hosts = {
  network_mode: 'network: it can use every port of the server',
  pid: 'process namespace: it can see and stop every process of the server',
  ipc: 'IPC namespace: it can read shared memory of the server',
  uts: 'UTS namespace: it can change the host name of the server',
  userns_mode: 'user namespace: root in the container is root on the server',
  cgroup: 'cgroup namespace: it can change resource limits of other processes',
} as const

const namespaces = (name: string, service: Service) => [
  ...(service.privileged ? [`${name} is privileged and has root access to the server.`] : []),
  ...Object.entries(hosts).flatMap(([key, gives]) =>
    service[key] === 'host' ? [`${name} uses the server’s ${gives}.`] : [],
  ),
  ...(['network_mode', 'pid', 'ipc'] as const).flatMap((key) =>
    service[key]?.startsWith('container:')
      ? [
          `${name} shares a namespace with container ${service[key].slice(10)}, which may belong to another application.`,
        ]
      : [],
  ),
  ...(service.cap_add ?? [])
    .filter(isNonDefaultCapability)
    .map(
      (capability) => `${name} has the capability ${capability}, which containers do not have by default.`,
    ),
  ...(service.security_opt ?? [])
    .filter(isWeakSecurityOption)
    .map((option) => `${name} sets ${option}, which weakens the isolation of the container.`),
]

const devices = (name: string, service: Service) => [
  ...(service.devices ?? []).map(
    ({ source, permissions = 'rwm' }) =>
      `${name} can use the device ${source} of the server (${permissions}).`,
  ),
  ...(service.device_cgroup_rules ?? []).map((rule) => `${name} can use devices of the server: ${rule}.`),
  ...[...(service.gpus ?? []), ...(service.deploy?.resources?.reservations?.devices ?? [])].map(
    ({ driver = 'any driver', count, device_ids, capabilities = [] }) =>
      `${name} can use devices of the server, such as GPUs (${[driver, ...capabilities, ...(device_ids ?? [count === undefined || count < 0 ? 'all' : count])].join(', ')}).`,
  ),
]

/** Other drivers make the Docker daemon connect to any host and read any file. */
export const isLocalLogDriver = (driver: string) => ['', 'json-file', 'local', 'none'].includes(driver)

/** Docker restricts these to the container, and refuses others outside the host's namespaces. */
export const isNamespacedSysctl = (key: string, isInHost: boolean) =>
  !isInHost && /^(net\.|fs\.mqueue\.|kernel\.(msg|sem|shm))/.test(key)

const others = (name: string, service: Service) => [
  ...(service.cgroup_parent === undefined
    ? []
    : [`${name} runs in the control group ${service.cgroup_parent} of the server.`]),
  ...Object.keys(service.sysctls ?? {})
    .filter((key) => !isNamespacedSysctl(key, service.network_mode === 'host'))
    .map((key) => `${name} changes ${key}, which applies to the whole server.`),
  ...(service.runtime === undefined || service.runtime === 'runc'
    ? []
    : [`${name} uses the runtime ${service.runtime} instead of Docker’s default.`]),
  ...(service.volumes_from ?? [])
    .filter((line) => line.startsWith('container:'))
    .map(
      (line) =>
        `${name} mounts all volumes of container ${line.split(':')[1]}, which may belong to another application.`,
    ),
  ...(isLocalLogDriver(service.logging?.driver ?? '')
    ? []
    : [
        `${name} sends its logs from the server through ${service.logging?.driver} (${formatRedactedOptions(service.logging?.options ?? {}) || 'no options'}).`,
      ]),
  ...(service.external_links ?? []).map(
    (line) =>
      `${name} is linked to container ${line.split(':')[0]}, which may belong to another application.`,
  ),
]

import { bindMountAccess } from './host-paths.ts'
import { buildAccess } from './build-access.ts'
import { isNonDefaultCapability, isWeakSecurityOption } from '../../containers/host-access.ts'
import type { Model, Service } from '../model.ts'
import { networkAccess, type ServerRoute } from './network-access.ts'
import { formatRedactedOptions, volumeAccess } from './volume-access.ts'

/** `own` lists the names of volumes and networks that applications of the workspace created. */
export const listHostAccess = (
  model: Model,
  folder: string,
  own: ReadonlySet<string>,
  routes: readonly ServerRoute[] = [],
): string[] => [
  ...new Set([
    ...Object.entries(model.services).flatMap(([name, service]) => [
      ...serviceAccess(name, service),
      ...buildAccess(name, service, folder),
    ]),
    ...bindMountAccess(model, folder),
    ...Object.entries(model.volumes).flatMap(([key, volume]) => volumeAccess(key, volume, own)),
    ...Object.entries(model.networks).flatMap(([key, network]) => networkAccess(key, network, own, routes)),
  ]),
]

const hosts = {
  network_mode: 'network: it can use every port on the server',
  pid: 'process namespace: it can see and stop every process on the server',
  ipc: 'IPC namespace: it can read the server’s shared memory',
  uts: 'UTS namespace: it can change the server’s host name',
  userns_mode: 'user namespace: root in the container is root on the server',
  cgroup: 'cgroup namespace: it can change resource limits of other processes',
} as const

function serviceAccess(name: string, service: Service): string[] {
  const { cgroup_parent, runtime, logging, network_mode } = service
  const sentences: string[] = []
  const add = (sentence: string) => sentences.push(`${name} ${sentence}`)

  if (service.privileged) add('is privileged and has root access to the server.')
  for (const [key, access] of Object.entries(hosts))
    if (service[key] === 'host') add(`uses the server’s ${access}.`)
  for (const key of ['network_mode', 'pid', 'ipc'] as const)
    if (service[key]?.startsWith('container:'))
      add(
        `shares a namespace with container ${service[key].slice(10)}, which may belong to another application.`,
      )
  for (const capability of service.cap_add ?? [])
    if (isNonDefaultCapability(capability))
      add(`has the capability ${capability}, which containers do not have by default.`)
  for (const option of service.security_opt ?? [])
    if (isWeakSecurityOption(option)) add(`sets ${option}, which weakens the isolation of the container.`)

  for (const { source, permissions = 'rwm' } of service.devices ?? [])
    add(`can use the device ${source} on the server (${permissions}).`)
  for (const rule of service.device_cgroup_rules ?? []) add(`can use devices on the server: ${rule}.`)
  for (const request of [
    ...(service.gpus ?? []),
    ...(service.deploy?.resources?.reservations?.devices ?? []),
  ]) {
    const { driver = 'any driver', count, device_ids, capabilities = [] } = request
    const which = device_ids ?? [count === undefined || count < 0 ? 'all' : count]
    add(`can use devices on the server, such as GPUs (${[driver, ...capabilities, ...which].join(', ')}).`)
  }

  if (cgroup_parent !== undefined) add(`runs in the control group ${cgroup_parent} on the server.`)
  for (const key of Object.keys(service.sysctls ?? {}))
    if (!isNamespacedSysctl(key, network_mode === 'host'))
      add(`changes ${key}, which applies to the whole server.`)
  for (const key of Object.keys(service.annotations ?? {}))
    add(`sets the annotation ${key}, which the container runtime may act on.`)
  if (runtime !== undefined && runtime !== 'runc')
    add(`uses the runtime ${runtime} instead of Docker’s default.`)
  for (const line of service.volumes_from ?? [])
    if (line.startsWith('container:'))
      add(`mounts all volumes of container ${line.split(':')[1]}, which may belong to another application.`)
  if (!isLocalLogDriver(logging?.driver ?? '')) {
    const options = formatRedactedOptions(logging?.options ?? {}) || 'no options'
    add(`sends its logs from the server through ${logging?.driver} (${options}).`)
  }
  for (const line of service.external_links ?? [])
    add(`is linked to container ${line.split(':')[0]}, which may belong to another application.`)
  return sentences
}

/** Other drivers make the Docker daemon connect to any host and read any file. */
export const isLocalLogDriver = (driver: string) => ['', 'json-file', 'local', 'none'].includes(driver)

/** Docker restricts these settings to the container, and refuses others outside the host's namespaces. */
export const isNamespacedSysctl = (key: string, isInHost: boolean) =>
  !isInHost && /^(net\.|fs\.mqueue\.|kernel\.(msg|sem|shm))/.test(key)

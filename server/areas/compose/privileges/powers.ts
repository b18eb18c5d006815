import { bindPowers } from './bind-powers.ts'
import { buildPowers } from './build-powers.ts'
import { isPowerful } from '../../containers/capabilities.ts'
import { isLoosening } from '../../containers/host-access.ts'
import type { Model, Service } from '../model.ts'
import { networkPowers, type ServerRoute } from './network-powers.ts'
import { optionWords } from './option-words.ts'
import { volumePowers } from './volume-powers.ts'

/**
 * What gives the containers of a file power over the server, or over what is not the application's, as sentences. `folder` is
 * the application's own on the server; `own` are the names of volumes and networks that applications of its workspace made;
 * `routes` are the server's.
 */
export const powersOf = (
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
      ...buildPowers(name, service, folder),
    ]),
    ...bindPowers(model, folder),
    ...Object.entries(model.volumes).flatMap(([key, volume]) => volumePowers(key, volume, own)),
    ...Object.entries(model.networks).flatMap(([key, network]) => networkPowers(key, network, own, routes)),
  ]),
]

/** Each is a word of the service, and what one of the host's own gives. */
const hosts = {
  network_mode: 'network: it reaches and takes every port of the server',
  pid: 'process namespace: it sees and ends every program of the server',
  ipc: 'memory namespace: it reads what programs of the server share',
  uts: 'host name: it can change that of the server',
  userns_mode: 'users: root in it is root on the server',
  cgroup: 'control groups: it can change the limits of others',
} as const

const namespaces = (name: string, service: Service) => [
  ...(service.privileged ? [`${name} is privileged: it can do all that root can on the server.`] : []),
  ...Object.entries(hosts).flatMap(([key, gives]) =>
    service[key] === 'host' ? [`${name} is in the server’s ${gives}.`] : [],
  ),
  ...(['network_mode', 'pid', 'ipc'] as const).flatMap((key) =>
    service[key]?.startsWith('container:')
      ? [`${name} shares a namespace of the container ${service[key].slice(10)}, which may be of others.`]
      : [],
  ),
  ...(service.cap_add ?? [])
    .filter(isPowerful)
    .map(
      (capability) => `${name} has the capability ${capability}, which containers do not have by themselves.`,
    ),
  ...(service.security_opt ?? [])
    .filter(isLoosening)
    .map((option) => `${name} has ${option}, which takes away a protection of the server.`),
]

const devices = (name: string, service: Service) => [
  ...(service.devices ?? []).map(
    ({ source, permissions = 'rwm' }) => `${name} has the device ${source} of the server (${permissions}).`,
  ),
  ...(service.device_cgroup_rules ?? []).map((rule) => `${name} may use devices of the server: ${rule}.`),
  ...[...(service.gpus ?? []), ...(service.deploy?.resources?.reservations?.devices ?? [])].map(
    ({ driver = 'any driver', count, device_ids, capabilities = [] }) =>
      `${name} has devices of the server, such as its graphics cards (${[driver, ...capabilities, ...(device_ids ?? [count === undefined || count < 0 ? 'all' : count])].join(', ')}).`,
  ),
]

/** With others Docker itself, which may all, connects to where the options say, and reads files that they name. */
export const isOwnLog = (driver: string) => ['', 'json-file', 'local', 'none'].includes(driver)

/** What Docker takes for a container alone; it refuses others, unless the container is in the server's own namespaces. */
export const isOwnSysctl = (key: string, isInHost: boolean) =>
  !isInHost && /^(net\.|fs\.mqueue\.|kernel\.(msg|sem|shm))/.test(key)

const others = (name: string, service: Service) => [
  ...(service.cgroup_parent === undefined
    ? []
    : [`${name} is put into the control group ${service.cgroup_parent} of the server.`]),
  ...Object.keys(service.sysctls ?? {})
    .filter((key) => !isOwnSysctl(key, service.network_mode === 'host'))
    .map((key) => `${name} changes ${key}, which is a setting of the whole server.`),
  ...(service.runtime === undefined || service.runtime === 'runc'
    ? []
    : [`${name} is run by ${service.runtime} instead of Docker’s own runtime.`]),
  ...(service.volumes_from ?? [])
    .filter((line) => line.startsWith('container:'))
    .map((line) => `${name} has all volumes of the container ${line.split(':')[1]}, which may be of others.`),
  ...(isOwnLog(service.logging?.driver ?? '')
    ? []
    : [
        `${name} has its log sent by the server itself, to wherever ${service.logging?.driver} leads (${optionWords(service.logging?.options ?? {}) || 'no options'}).`,
      ]),
  ...(service.external_links ?? []).map(
    (line) => `${name} is linked to the container ${line.split(':')[0]}, which may be of others.`,
  ),
]

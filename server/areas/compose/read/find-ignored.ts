import { isEmpty } from './untyped.ts'
import type { Model, Service } from '../model.ts'
import { keySupport, ignoredDeployKeys, ignoredKeys } from './service-keys.ts'

/** Lists keys that have no effect here, or another than expected. */
export const findIgnoredKeys = (model: Model): string[] => [
  ...ofServices(model),
  ...ofFiles('secret', model.secrets),
  ...ofFiles('config', model.configs),
]

const ofServices = ({ services, secrets, configs }: Model) =>
  Object.entries(services).flatMap(([name, service]) => [
    ...Object.keys(service)
      .filter((key) => keySupport(key) === 'ignored')
      .map((key) => says(name, key, ignoredKeys[key])),
    ...deployOf(name, service),
    ...networksOf(name, service),
    ...(service.healthcheck?.start_interval === undefined
      ? []
      : [says(name, 'start_interval', 'needs a newer Docker API version')]),
    ...(service.logging?.driver === 'none'
      ? [`${name} has no logs, because its logging driver is none.`]
      : []),
    ...(service.build?.['tags']
      ? [says(name, 'build.tags', 'would tag images that other applications use')]
      : []),
    ...(service.volumes ?? [])
      .filter(({ type, source }) => type === 'volume' && source === undefined)
      .map(({ target }) => lost(name, target)),
    ...(service.secrets ?? []).filter(isOwned(secrets)).map(({ source }) => mounted(name, 'secret', source)),
    ...(service.configs ?? []).filter(isOwned(configs)).map(({ source }) => mounted(name, 'config', source)),
  ])

const says = (name: string, key: string, reason = 'is not supported') =>
  `${key} of ${name} has no effect: it ${reason}.`

function deployOf(name: string, { deploy }: Service): string[] {
  const { mode = 'replicated', resources } = deploy ?? {}
  const { reservations = {} } = resources ?? {}
  return [
    ...Object.entries(deploy ?? {})
      .filter(([key, value]) => Object.hasOwn(ignoredDeployKeys, key) && !isEmpty(value))
      .map(([key]) => `deploy.${key} of ${name} has no effect: it ${ignoredDeployKeys[key]}.`),
    ...(mode === 'replicated' ? [] : [says(name, 'deploy.mode', 'needs Docker Swarm')]),
    ...['cpus', 'generic_resources']
      .filter((key) => !isEmpty(reservations[key]))
      .map((key) => says(name, `the reservation of ${key}`, 'needs Docker Swarm')),
  ]
}

const networkKeys = new Set([
  'aliases',
  'driver_opts',
  'ipv4_address',
  'ipv6_address',
  'link_local_ips',
  'mac_address',
  'priority',
])

const networksOf = (name: string, { networks = {} }: Service) =>
  Object.entries(networks).flatMap(([network, of]) =>
    Object.keys(of ?? {})
      .filter((key) => !networkKeys.has(key) && !key.startsWith('x-'))
      .map((key) => says(name, `${key} in the network ${network}`, 'needs a newer Docker API version')),
  )

const lost = (name: string, target: string) =>
  `The volume of ${name} at ${target} is anonymous, so each new container starts with an empty one. Give it a name to keep the data.`

const isOwned =
  (files: Model['secrets']) =>
  ({ source, uid, gid, mode }: NonNullable<Service['secrets']>[number]) =>
    files[source]?.file !== undefined && (uid ?? gid ?? mode) !== undefined

const mounted = (name: string, kind: string, source: string) =>
  `The ${kind} ${source} of ${name} keeps the owner and mode of its file on the server.`

const fileKeys = new Set(['content', 'environment', 'external', 'file', 'labels', 'name'])

const ofFiles = (kind: string, files: Model['secrets']) =>
  Object.entries(files).flatMap(([key, file]) =>
    Object.keys(file)
      .filter((word) => !fileKeys.has(word) && !word.startsWith('x-'))
      .map((word) => says(`the ${kind} ${key}`, word, 'needs Docker Swarm')),
  )

import { isEmpty } from './loose.ts'
import type { Model, Service } from '../model.ts'
import { fateOf, ignoredDeployKeys, ignoredKeys } from './service-keys.ts'

/** What a file says that has no effect here, or not the one that somebody may expect, as sentences. */
export const findIgnored = (model: Model): string[] => [
  ...ofServices(model),
  ...ofFiles('secret', model.secrets),
  ...ofFiles('config', model.configs),
]

const ofServices = ({ services, secrets, configs }: Model) =>
  Object.entries(services).flatMap(([name, service]) => [
    ...Object.keys(service)
      .filter((key) => fateOf(key) === 'ignored')
      .map((key) => says(name, key, ignoredKeys[key])),
    ...deployOf(name, service),
    ...networksOf(name, service),
    ...(service.healthcheck?.start_interval === undefined
      ? []
      : [
          says(
            name,
            'start_interval',
            'needs a newer version of Docker’s API than the one that is spoken here',
          ),
        ]),
    ...(service.logging?.driver === 'none'
      ? [`Docker keeps no log of ${name}, so that there is none to read here either.`]
      : []),
    ...(service.build?.['tags'] ? [says(name, 'build.tags', 'would name images that others use')] : []),
    ...(service.volumes ?? [])
      .filter(({ type, source }) => type === 'volume' && source === undefined)
      .map(({ target }) => lost(name, target)),
    ...(service.secrets ?? []).filter(isOwned(secrets)).map(({ source }) => mounted(name, 'secret', source)),
    ...(service.configs ?? []).filter(isOwned(configs)).map(({ source }) => mounted(name, 'config', source)),
  ])

const says = (name: string, key: string, why = 'is not known here') =>
  `${key} of ${name} has no effect: it ${why}.`

function deployOf(name: string, { deploy }: Service): string[] {
  const { mode = 'replicated', resources } = deploy ?? {}
  const { reservations = {} } = resources ?? {}
  return [
    ...Object.entries(deploy ?? {})
      .filter(([key, value]) => Object.hasOwn(ignoredDeployKeys, key) && !isEmpty(value))
      .map(([key]) => `deploy.${key} of ${name} has no effect: it ${ignoredDeployKeys[key]}.`),
    ...(mode === 'replicated' ? [] : [says(name, 'deploy.mode', 'is only for a swarm')]),
    ...['cpus', 'generic_resources']
      .filter((key) => !isEmpty(reservations[key]))
      .map((key) => says(name, `the reservation of ${key}`, 'is only for a swarm')),
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
      .map((key) => says(name, `${key} in the network ${network}`, 'needs a newer version of Docker’s API')),
  )

const lost = (name: string, target: string) =>
  `The volume of ${name} at ${target} has no name, so that each new container begins with an empty one. Name it to keep what is in it.`

const isOwned =
  (files: Model['secrets']) =>
  ({ source, uid, gid, mode }: NonNullable<Service['secrets']>[number]) =>
    files[source]?.file !== undefined && (uid ?? gid ?? mode) !== undefined

const mounted = (name: string, kind: string, source: string) =>
  `The ${kind} ${source} of ${name} keeps the owner and the mode that its file has on the server.`

const fileKeys = new Set(['content', 'environment', 'external', 'file', 'labels', 'name'])

const ofFiles = (kind: string, files: Model['secrets']) =>
  Object.entries(files).flatMap(([key, file]) =>
    Object.keys(file)
      .filter((word) => !fileKeys.has(word) && !word.startsWith('x-'))
      .map((word) => says(`the ${kind} ${key}`, word, 'is only for a swarm')),
  )

import { readKeys, serviceNetworkKeys } from './service-schema.ts'
import { isEmpty } from './untyped.ts'
import type { Model, Service } from '../model.ts'

export const refusedKeys: Record<string, string> = {
  credential_spec: 'is for Windows containers, but servers run Linux',
  isolation: 'is for Windows containers, but servers run Linux',
  models: 'needs a model runner, which is not supported',
  post_start: 'runs commands after a container starts, which is not supported',
  pre_stop: 'runs commands before a container stops, which is not supported',
  provider: 'needs a program outside Docker, which is not supported',
  use_api_socket: 'mounts the Docker socket; list it under volumes instead, which needs an admin',
}

export const ignoredKeys: Record<string, string> = {
  annotations: 'needs a newer Docker API version',
  attach: 'applies only to docker compose in a terminal',
  cpu_count: 'is for Windows containers',
  cpu_percent: 'is for Windows containers',
  develop: 'applies only to local development',
}

export const ignoredDeployKeys: Record<string, string> = {
  endpoint_mode: 'needs Docker Swarm',
  labels: 'needs Docker Swarm;  set container labels under labels of the service',
  placement: 'needs Docker Swarm',
  rollback_config: 'needs Docker Swarm; a failed deployment is always reverted',
  update_config:
    'needs Docker Swarm; the label slipway.roll, "true" or "false", turns rolling updates on or off',
}

/** Docker Compose has resolved these in its output. */
const resolvedKeys = ['env_file', 'extends', 'label_file']

const known = new Set([...resolvedKeys, ...readKeys])

/** Every key is classified, so that none is dropped silently. */
export function keySupport(key: string): 'carried' | 'ignored' | 'refused' {
  if (known.has(key) || key.startsWith('x-')) return 'carried'
  return Object.hasOwn(ignoredKeys, key) ? 'ignored' : 'refused'
}

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

const networkKeys = new Set(serviceNetworkKeys)

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

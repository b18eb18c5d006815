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
  use_api_socket:
    'mounts the Docker socket; list the socket under volumes instead, which only an admin can deploy',
}

export const ignoredKeys: Record<string, string> = {
  attach: 'applies only to docker compose in a terminal',
  cpu_count: 'is for Windows containers',
  cpu_percent: 'is for Windows containers',
  develop: 'applies only to local development',
  pull_refresh_after: 'applies only to docker compose in a terminal',
}

export const ignoredDeployKeys: Record<string, string> = {
  endpoint_mode: 'needs Docker Swarm',
  labels: 'needs Docker Swarm; set container labels under labels of the service',
  placement: 'needs Docker Swarm',
  rollback_config: 'needs Docker Swarm; a failed deployment is always reverted',
  update_config:
    'needs Docker Swarm; the label slipway.roll, "true" or "false", turns rolling updates on or off',
}

/** Docker Compose resolves these keys, so its output no longer contains them. */
const resolvedKeys = ['env_file', 'extends', 'label_file']

const known = new Set([...resolvedKeys, ...readKeys])

/** Every key is classified, so that none is dropped silently. */
export function keySupport(key: string): 'carried' | 'ignored' | 'refused' {
  if (known.has(key) || key.startsWith('x-')) return 'carried'
  return Object.hasOwn(ignoredKeys, key) ? 'ignored' : 'refused'
}

export const findIgnoredKeys = (model: Model): string[] => [
  ...Object.entries(model.services).flatMap(([name, service]) => ignoredInService(name, service, model)),
  ...ignoredInFiles('secret', model.secrets),
  ...ignoredInFiles('config', model.configs),
]

const needsSwarm = 'needs Docker Swarm'
const networkKeys = new Set(serviceNetworkKeys)

function ignoredInService(name: string, service: Service, { secrets, configs }: Model): string[] {
  const { deploy = {}, networks = {}, healthcheck, logging, build } = service
  const reservations = deploy.resources?.reservations ?? {}
  const sentences: string[] = []
  const add = (key: string, reason?: string) => sentences.push(noEffect(name, key, reason))

  for (const key of Object.keys(service)) if (keySupport(key) === 'ignored') add(key, ignoredKeys[key])
  for (const [key, value] of Object.entries(deploy))
    if (Object.hasOwn(ignoredDeployKeys, key) && !isEmpty(value)) add(`deploy.${key}`, ignoredDeployKeys[key])
  if ((deploy.mode ?? 'replicated') !== 'replicated') add('deploy.mode', needsSwarm)
  for (const key of ['cpus', 'generic_resources'])
    if (!isEmpty(reservations[key])) add(`the reservation of ${key}`, needsSwarm)
  for (const [network, options] of Object.entries(networks))
    for (const key of Object.keys(options ?? {}))
      if (!networkKeys.has(key) && !key.startsWith('x-')) add(`${key} in the network ${network}`)
  if (healthcheck?.start_interval !== undefined && healthcheck.start_period === undefined)
    add('start_interval', 'applies only during start_period, which is not set')
  if (logging?.driver === 'none') sentences.push(`${name} has no logs, because its logging driver is none.`)
  if (build?.['tags']) add('build.tags', 'could overwrite image tags that other applications use')
  for (const { type, source, target } of service.volumes ?? [])
    if (type === 'volume' && source === undefined)
      sentences.push(
        `The volume of ${name} at ${target} is anonymous, so each new container starts with an empty one. Give it a name to keep the data.`,
      )
  for (const [kind, references = [], files] of [
    ['secret', service.secrets, secrets],
    ['config', service.configs, configs],
  ] as const)
    for (const { source, uid, gid, mode } of references)
      if (files[source]?.file !== undefined && (uid ?? gid ?? mode) !== undefined)
        sentences.push(`The ${kind} ${source} of ${name} keeps the owner and mode of its file on the server.`)
  return sentences
}

const noEffect = (name: string, key: string, reason = 'is not supported') =>
  `${key} of ${name} has no effect: it ${reason}.`

const fileKeys = new Set(['content', 'environment', 'external', 'file', 'labels', 'name'])

const ignoredInFiles = (kind: string, files: Model['secrets']) =>
  Object.entries(files).flatMap(([name, file]) =>
    Object.keys(file)
      .filter((key) => !fileKeys.has(key) && !key.startsWith('x-'))
      .map((key) => noEffect(`the ${kind} ${name}`, key, needsSwarm)),
  )

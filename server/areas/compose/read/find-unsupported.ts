import { parseDuration, readReplicas } from './read-service.ts'
import { type Model, type ModelFile, type Service, type ServiceVolume, UnsupportedCompose } from '../model.ts'
import { sharedServices, startWaves } from '../start-order.ts'
import { publishedPorts } from '../ports.ts'
import { keySupport, refusedKeys } from './service-keys.ts'

export const findUnsupported = (model: Model): string[] => [
  ...Object.entries(model.services).flatMap(([name, service]) => [
    ...findKeys(name, service),
    ...findNumbers(name, service),
    ...findNetworks(name, service, model),
    ...(service.volumes ?? []).flatMap((volume) => findVolumes(name, volume)),
    ...findOptions(name, service),
    ...findDurations(name, service),
    ...(service.secrets ?? []).flatMap((secret) => findFiles(name, 'secret', secret.source, model.secrets)),
    ...(service.configs ?? []).flatMap((config) => findFiles(name, 'config', config.source, model.configs)),
  ]),
  ...findOrder(model),
  ...publishedPorts(model, []).problems,
]

const findKeys = (name: string, service: Service) =>
  Object.keys(service)
    .filter((key) => keySupport(key) === 'refused')
    .map((key) =>
      Object.hasOwn(refusedKeys, key)
        ? `${name} cannot be deployed with ${key}: it ${refusedKeys[key]}. Remove it.`
        : `${name} cannot be deployed with ${key}, which is not supported. Remove it.`,
    )

/** Image applications have the same limit. */
const maxReplicas = 20

function findNumbers(name: string, service: Service): string[] {
  const { container_name = '', networks = {} } = service
  const replicas = readReplicas(service)
  const hasFixedAddress = Object.values(networks).some(
    (network) => network?.ipv4_address ?? network?.ipv6_address,
  )
  const sentences: string[] = []
  if (replicas < 0 || replicas > maxReplicas || !Number.isInteger(replicas))
    sentences.push(`${name} has ${replicas} replicas. The maximum is ${maxReplicas}.`)
  if (replicas > 1 && container_name !== '')
    sentences.push(
      `${name} has a container_name, which only one container can use. Remove it, or use one replica.`,
    )
  if (replicas > 1 && hasFixedAddress)
    sentences.push(
      `${name} has a static IP address, which only one container can use. Remove it, or use one replica.`,
    )
  if (container_name.startsWith('slipway-'))
    sentences.push(
      `${name} cannot use the container_name ${container_name}: the prefix slipway- is reserved. Choose another name.`,
    )
  return sentences
}

function findNetworks(name: string, service: Service, { services }: Model): string[] {
  const { networks = {}, mac_address } = service
  const sentences: string[] = []
  for (const other of new Set(sharedServices(service)))
    if (!hasContainers(services, other))
      sentences.push(`${name} shares resources with service ${other}, which has no containers.`)
  const addresses = [mac_address, ...Object.values(networks).map((network) => network?.mac_address)]
  if (addresses.filter((address) => address !== undefined).length > 1)
    sentences.push(`${name} has more than one mac_address, but Docker supports only one. Remove the others.`)
  return sentences
}

const hasContainers = (services: Model['services'], name: string) =>
  Object.hasOwn(services, name) && readReplicas(services[name] ?? {}) > 0

function findVolumes(name: string, { type, target }: ServiceVolume): string[] {
  const mount = `The mount of ${name} at ${target}`
  return ['bind', 'volume', 'tmpfs'].includes(type)
    ? []
    : [`${mount} has type ${type}. Only volume, bind and tmpfs are supported.`]
}

/** The Docker CLI would read this file locally, but the daemon does not. */
const findOptions = (name: string, { security_opt = [] }: Service) =>
  security_opt
    .filter((option) => /^seccomp[=:](?!unconfined$|builtin$)/.test(option))
    .map(() => `${name} uses a seccomp profile file, which is not supported. Remove it from security_opt.`)

function findDurations(name: string, { stop_grace_period, healthcheck = {} }: Service): string[] {
  const { interval, timeout, start_period, start_interval } = healthcheck
  return Object.entries({ stop_grace_period, interval, timeout, start_period, start_interval }).flatMap(
    ([key, value]) =>
      value === undefined || parseDuration(value) !== undefined
        ? []
        : [`The ${key} of ${name} is not a duration. Use a value such as 30s or 1m30s.`],
  )
}

function findFiles(name: string, kind: 'secret' | 'config', key: string, all: Record<string, ModelFile>) {
  const file = Object.hasOwn(all, key) ? all[key] : undefined
  if (!file) return [`${name} uses the ${kind} ${key}, which the file does not define.`]
  if (file.external)
    return [
      `The ${kind} ${key} of ${name} is external, which needs Docker Swarm. Use content or environment instead.`,
    ]
  return file.content !== undefined || file.file !== undefined
    ? []
    : [
        `The ${kind} ${key} of ${name} uses the variable ${file.environment}, which is not set. Add it to the environment variables.`,
      ]
}

function findOrder(model: Model): readonly string[] {
  try {
    startWaves(model, Object.keys(model.services))
    return []
  } catch (error) {
    if (error instanceof UnsupportedCompose) return error.sentences
    throw error
  }
}

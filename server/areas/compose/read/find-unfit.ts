import { secondsOf } from '../duration.ts'
import { hasNetworks } from '../own-network.ts'
import type { Model, ModelFile, Service, ServiceVolume } from '../model.ts'
import { namedForSharing, wavesOf } from '../order.ts'
import { portsOf } from '../ports.ts'
import { fateOf, refusedKeys } from './service-keys.ts'
import { replicasOf } from './read-service.ts'
import { Unfit } from './unfit.ts'

/** Why a file that Docker Compose takes cannot be deployed here, as sentences. */
export const findUnfit = (model: Model): string[] => [
  ...Object.entries(model.services).flatMap(([name, service]) => [
    ...keysOf(name, service),
    ...numbersOf(name, service),
    ...networkOf(name, service, model),
    ...(service.volumes ?? []).flatMap((volume) => volumeOf(name, volume)),
    ...optionsOf(name, service),
    ...durationsOf(name, service),
    ...(service.secrets ?? []).flatMap((one) => fileOf(name, 'secret', one.source, model.secrets)),
    ...(service.configs ?? []).flatMap((one) => fileOf(name, 'config', one.source, model.configs)),
  ]),
  ...orderOf(model),
  ...portsOf(model, []).problems,
]

const keysOf = (name: string, service: Service) =>
  Object.keys(service)
    .filter((key) => fateOf(key) === 'refused')
    .map((key) =>
      Object.hasOwn(refusedKeys, key)
        ? `${name} cannot be deployed with ${key}: it ${refusedKeys[key]}. Take it out.`
        : `${name} cannot be deployed with ${key}, which is not known here. Take it out.`,
    )

/** As for applications of an image. */
const mostReplicas = 20

function numbersOf(name: string, service: Service): string[] {
  const replicas = replicasOf(service)
  const fixed = Object.values(service.networks ?? {}).some((of) => of?.ipv4_address ?? of?.ipv6_address)
  const { container_name = '' } = service
  return [
    ...(replicas < 0 || replicas > mostReplicas || !Number.isInteger(replicas)
      ? [`${name} is to have ${replicas} containers. Choose at most ${mostReplicas}.`]
      : []),
    ...(replicas > 1 && container_name !== ''
      ? [`${name} has a container_name, which only one container can have. Take it out, or have one replica.`]
      : []),
    ...(replicas > 1 && fixed
      ? [`${name} has a fixed address, which only one container can have. Take it out, or have one replica.`]
      : []),
    ...(container_name.startsWith('slipway-')
      ? [
          `${name} cannot have the container_name ${container_name}: such names are Slipway’s. Choose another.`,
        ]
      : []),
  ]
}

function networkOf(name: string, service: Service, { services }: Model): string[] {
  const { network_mode = '', networks = {} } = service
  const cards = Object.values(networks).filter((of) => of?.mac_address !== undefined).length
  const isKnown = /^(host|none|(service|container):.+)$/.test(network_mode) || hasNetworks(service)
  return [
    ...(isKnown ? [] : [`${name} has a network_mode that is not known: ${network_mode}. Use networks.`]),
    ...new Set(
      namedForSharing(service)
        .filter((other) => !hasContainers(services, other))
        .map((other) => `${name} is to share with the service ${other}, of which no container is deployed.`),
    ),
    ...(cards + Number(service.mac_address !== undefined) > 1
      ? [`${name} has more than one mac_address, and Docker takes one. Take the others out.`]
      : []),
  ]
}

const hasContainers = (services: Model['services'], name: string) =>
  Object.hasOwn(services, name) && replicasOf(services[name] ?? {}) > 0

function volumeOf(name: string, { type, target, volume, bind }: ServiceVolume): string[] {
  const at = `The mount of ${name} at ${target}`
  if (!['bind', 'volume', 'tmpfs'].includes(type))
    return [`${at} is of type ${type}. Only volume, bind and tmpfs can be deployed.`]
  if (volume?.subpath !== undefined)
    return [`${at} has a subpath, which the version of Docker’s API that is spoken here does not know.`]
  return bind?.recursive === 'readonly'
    ? [`${at} is recursive: readonly, which the version of Docker’s API that is spoken here does not know.`]
    : []
}

/** The daemon reads no file for it, and the one that the path names is not here. */
const optionsOf = (name: string, { security_opt = [] }: Service) =>
  security_opt
    .filter((option) => /^seccomp[=:](?!unconfined$|builtin$)/.test(option))
    .map(() => `${name} names a file for seccomp, which is not read here. Take it out of security_opt.`)

function durationsOf(name: string, { stop_grace_period, healthcheck = {} }: Service): string[] {
  const { interval, timeout, start_period } = healthcheck
  return Object.entries({ stop_grace_period, interval, timeout, start_period }).flatMap(([key, value]) =>
    value === undefined || secondsOf(value) !== undefined
      ? []
      : [`The ${key} of ${name} is no duration. Write it as 30s or 1m30s.`],
  )
}

function fileOf(name: string, kind: 'secret' | 'config', key: string, all: Record<string, ModelFile>) {
  const file = Object.hasOwn(all, key) ? all[key] : undefined
  if (!file) return [`${name} uses the ${kind} ${key}, which the file does not define.`]
  if (file.external)
    return [
      `The ${kind} ${key} of ${name} is external, and only a swarm keeps such. Give it content, or take it from the environment.`,
    ]
  if (file.content !== undefined || file.file !== undefined) return []
  return file.environment === undefined
    ? [`The ${kind} ${key} of ${name} has no content. Give it one, or take it from the environment.`]
    : [
        `The ${kind} ${key} of ${name} is taken from ${file.environment}, which the environment does not have.`,
      ]
}

function orderOf(model: Model): readonly string[] {
  try {
    wavesOf(model, Object.keys(model.services))
    return []
  } catch (error) {
    if (error instanceof Unfit) return error.sentences
    throw error
  }
}

import { isOlder } from '../../remote/docker/api-version.ts'
import { needsReadOnlyTree } from './privileges/host-paths.ts'
import type { Model, Service, ServiceNetwork, ServiceVolume } from './model.ts'

/** Keys that some supported versions of Docker lack, with the version that introduced each. */
const engineFeatures = {
  annotations: { api: '1.43', docker: '24.0' },
  start_interval: { api: '1.44', docker: '25.0' },
  'recursive: readonly': { api: '1.44', docker: '25.0' },
  subpath: { api: '1.45', docker: '26.0' },
  gw_priority: { api: '1.48', docker: '28.0' },
} as const

export type EngineFeature = keyof typeof engineFeatures

export const hasFeature = (apiVersion: string, feature: EngineFeature): boolean =>
  !isOlder(apiVersion, engineFeatures[feature].api)

export const needsDocker = (feature: EngineFeature) =>
  `needs Docker ${engineFeatures[feature].docker} or newer on the server`

export interface FittedModel {
  model: Model
  warnings: string[]
  refused: string[]
}

/**
 * Removes keys that Docker on the server would ignore, with a warning, and makes mounts of system folders strictly
 * read-only. Mount options are refused instead: without its option, a mount would show or change other data.
 */
export function fitToEngine(model: Model, apiVersion: string): FittedModel {
  const warnings: string[] = []
  const refused: string[] = []
  const lacks = (feature: EngineFeature) => !hasFeature(apiVersion, feature)
  const drop = (of: string, feature: EngineFeature) =>
    warnings.push(`${feature} of ${of} has no effect: it ${needsDocker(feature)}.`)

  function fitService(name: string, service: Service): Service {
    const { annotations, healthcheck, networks, volumes, ...others } = service
    if (annotations && lacks('annotations')) drop(name, 'annotations')
    if (healthcheck?.start_interval !== undefined && lacks('start_interval')) drop(name, 'start_interval')
    for (const volume of volumes ?? [])
      for (const feature of mountFeatures(volume).filter(lacks))
        refused.push(
          `The mount of ${name} at ${volume.target} uses ${feature}, which ${needsDocker(feature)}. Upgrade Docker, or remove ${feature}.`,
        )
    return {
      ...others,
      ...(annotations && !lacks('annotations') && { annotations }),
      ...(healthcheck && {
        healthcheck: lacks('start_interval') ? without(healthcheck, 'start_interval') : healthcheck,
      }),
      ...(networks && { networks: fitNetworks(name, networks) }),
      ...(volumes && { volumes: volumes.map((volume) => protectTree(name, volume)) }),
    }
  }

  /**
   * In a read-only mount of a system folder, file systems below it must not stay writable: neither those mounted before,
   * nor those that propagation adds later.
   */
  function protectTree(name: string, mount: ServiceVolume): ServiceVolume {
    const { type, source = '', target, read_only, bind = {} } = mount
    if (type !== 'bind' || !read_only || bind.recursive === 'writable' || !needsReadOnlyTree(source))
      return mount
    const { propagation = 'rprivate' } = bind
    if (!/^r?private$/.test(propagation))
      warnings.push(
        `Mount propagation of ${name} at ${target} has no effect: file systems that are mounted below ${source} later would be writable.`,
      )
    const isWhole = bind.recursive !== 'disabled'
    const isRecursive = isWhole && !lacks('recursive: readonly')
    if (isWhole && !isRecursive)
      warnings.push(
        `The mount of ${name} at ${target} leaves out file systems mounted below ${source}: making them read-only ${needsDocker('recursive: readonly')}.`,
      )
    const recursive = isRecursive ? 'readonly' : 'disabled'
    return { ...mount, bind: { ...bind, propagation: 'rprivate', recursive } }
  }

  function fitNetworks(name: string, networks: Record<string, ServiceNetwork | null>) {
    if (!lacks('gw_priority')) return networks
    return Object.fromEntries(
      Object.entries(networks).map(([key, network]) => {
        if (network?.gw_priority === undefined) return [key, network]
        drop(`${name} in the network ${key}`, 'gw_priority')
        return [key, without(network, 'gw_priority')]
      }),
    )
  }

  const services = Object.fromEntries(
    Object.entries(model.services).map(([name, service]) => [name, fitService(name, service)]),
  )
  return { model: { ...model, services }, warnings, refused }
}

const mountFeatures = ({ volume, bind }: Pick<ServiceVolume, 'volume' | 'bind'>): EngineFeature[] => [
  ...(volume?.subpath === undefined ? [] : (['subpath'] as const)),
  ...(bind?.recursive === 'readonly' ? (['recursive: readonly'] as const) : []),
]

function without<T extends object, Key extends keyof T>(all: T, key: Key): Omit<T, Key> {
  const { [key]: _, ...others } = all
  return others
}

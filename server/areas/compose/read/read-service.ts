import type { ReleaseService } from '../../../tables.ts'
import type { Model, Service } from '../model.ts'
import type { ProxyPort } from '../ports.ts'

export const readReplicas = ({ deploy, scale }: Service): number => deploy?.replicas ?? scale ?? 1

export function readRestartPolicy({ restart, deploy }: Service): {
  Name: ReleaseService['restart']
  MaximumRetryCount?: number
} {
  const restartPolicy = deploy?.restart_policy
  const [name = 'no', most] = restart?.split(':') ?? [policyName(restartPolicy), restartPolicy?.max_attempts]
  const retries = Number(most ?? 0)
  if (name === 'on-failure') return { Name: name, ...(retries > 0 && { MaximumRetryCount: retries }) }
  return { Name: name === 'always' || name === 'unless-stopped' ? name : 'no' }
}

function policyName(policy: NonNullable<Service['deploy']>['restart_policy']) {
  if (!policy) return 'no'
  if (policy.condition === 'none') return 'no'
  return policy.condition === 'on-failure' ? 'on-failure' : 'always'
}

export const readRestartMode = (service: Service): ReleaseService['restart'] =>
  readRestartPolicy(service).Name

const defaultStop = 10

export const readStopSeconds = ({ stop_grace_period }: Service): number =>
  Math.ceil(parseDuration(stop_grace_period ?? '') ?? defaultStop)

export const readMemoryLimit = ({ mem_limit, deploy }: Service): number | null =>
  mem_limit || deploy?.resources?.limits?.memory || null

export function isOptionalService(name: string, model: Model, routed: boolean): boolean {
  const named = Object.values(model.services).flatMap(({ depends_on = {} }) => depends_on[name] ?? [])
  return !routed && named.length > 0 && named.every(({ required }) => !required)
}

/**
 * A container may exit with code 0 if another service waits for its completion, or if it has no restart policy and no
 * domain.
 */
export function isOneOffService(name: string, model: Model, routed: boolean): boolean {
  const isAwaited = Object.values(model.services).some(
    ({ depends_on = {} }) => depends_on[name]?.condition === 'service_completed_successfully',
  )
  const service = model.services[name]
  const endsByItself = service !== undefined && ['no', 'on-failure'].includes(readRestartMode(service))
  return isAwaited || (endsByItself && !routed)
}

const units: Record<string, number> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
}

const part = /(\d+(?:\.\d+)?|\.\d+)(ns|us|µs|ms|s|m|h|d|w)/g

export function parseDuration(duration: string): number | undefined {
  const parts = [...duration.matchAll(part)]
  if (parts.length === 0 || parts.map(([all]) => all).join('') !== duration)
    return duration === '0' ? 0 : undefined
  return parts.reduce((sum, [, value = '', unit = '']) => sum + Number(value) * (units[unit] ?? 0), 0)
}

interface ReleaseServiceInput {
  name: string
  model: Model
  image: string
  imageId: string
  digest: string | null
  hash: string
  ports: readonly ProxyPort[]
  routed: boolean
}

/** Leaves out every key that may hold a secret, because members who may not see secrets can read the result. */
export function toReleaseService({
  name,
  model,
  image,
  imageId,
  digest,
  hash,
  ...given
}: ReleaseServiceInput): ReleaseService {
  const service = model.services[name] ?? {}
  const restart = readRestartPolicy(service)
  const ports = given.ports
    .filter((port) => port.service === name)
    .map(({ host, source, target }) => ({ host, source, target }))
  const routed = given.routed || ports.length > 0
  return {
    name,
    image,
    digest,
    image_id: imageId,
    hash,
    replicas: readReplicas(service),
    restart: restart.Name,
    ...(restart.MaximumRetryCount !== undefined && { retries: restart.MaximumRetryCount }),
    stop_grace_seconds: readStopSeconds(service),
    memory_limit: readMemoryLimit(service),
    ports,
    completes: isOneOffService(name, model, routed),
    ...(isOptionalService(name, model, routed) && { optional: true }),
  }
}

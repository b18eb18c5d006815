import type { ReleaseService } from '../../../tables.ts'
import { parseDuration } from '../parse-duration.ts'
import type { Model, Service } from '../model.ts'

/** Zero is valid. */
export const readReplicas = ({ deploy, scale }: Service): number => deploy?.replicas ?? scale ?? 1

/** `restart` takes precedence over `deploy`. */
export function readRestartPolicy({ restart, deploy }: Service): {
  Name: ReleaseService['restart']
  MaximumRetryCount?: number
} {
  const given = deploy?.restart_policy
  const [name = 'no', most] = restart?.split(':') ?? [policyName(given), given?.max_attempts]
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

/** Docker's default. */
const defaultStop = 10

export const readStopSeconds = ({ stop_grace_period }: Service): number =>
  Math.ceil(parseDuration(stop_grace_period ?? '') ?? defaultStop)

export const readMemoryLimit = ({ mem_limit, deploy }: Service): number | null =>
  mem_limit || deploy?.resources?.limits?.memory || null

/** A service with a domain is never optional. */
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

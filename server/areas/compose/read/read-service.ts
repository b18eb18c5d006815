import type { ReleaseService } from '../../../tables.ts'
import { parseDuration } from '../parse-duration.ts'
import type { Model, Service } from '../model.ts'

/** How many containers it is to have; none is a choice. */
export const replicasOf = ({ deploy, scale }: Service): number => deploy?.replicas ?? scale ?? 1

/** When Docker is to start its containers again. What the service says comes before what `deploy` does. */
export function restartPolicyOf({ restart, deploy }: Service): {
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

export const restartOf = (service: Service): ReleaseService['restart'] => restartPolicyOf(service).Name

/** Docker's own, where the file says nothing. */
const defaultStop = 10

export const stopSecondsOf = ({ stop_grace_period }: Service): number =>
  Math.ceil(parseDuration(stop_grace_period ?? '') ?? defaultStop)

/** In bytes. */
export const memoryLimitOf = ({ mem_limit, deploy }: Service): number | null =>
  mem_limit || deploy?.resources?.limits?.memory || null

/** Whether those that depend on it all do so without requiring it. What people are led to is never that. */
export function isOptionalService(name: string, model: Model, routed: boolean): boolean {
  const named = Object.values(model.services).flatMap(({ depends_on = {} }) => depends_on[name] ?? [])
  return !routed && named.length > 0 && named.every(({ required }) => !required)
}

/**
 * Whether a container of it that ends without an error has done what it was for: another service waits for that, or
 * nothing starts it again and nobody is led to it.
 */
export function isOneOffService(name: string, model: Model, routed: boolean): boolean {
  const isAwaited = Object.values(model.services).some(
    ({ depends_on = {} }) => depends_on[name]?.condition === 'service_completed_successfully',
  )
  const service = model.services[name]
  const endsByItself = service !== undefined && ['no', 'on-failure'].includes(restartOf(service))
  return isAwaited || (endsByItself && !routed)
}

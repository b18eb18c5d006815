import type { PlannedService, ReleaseService } from '../../../tables.ts'
import type { Release } from '../../applications/release.ts'

/** Runtime settings of a service. An image is a single service with an empty name. */
export type ServiceSpec = { service: string } & Pick<
  ReleaseService,
  'image_id' | 'replicas' | 'restart' | 'retries' | 'memory_limit' | 'completes' | 'optional'
>

export function serviceSpecs({ config, image_id }: Pick<Release, 'config' | 'image_id'>): ServiceSpec[] {
  const { replicas, restart, memory_limit } = config
  return (
    config.services?.map(({ name, ...service }) => ({ ...service, service: name })) ?? [
      { service: '', image_id, replicas, restart, memory_limit, completes: false },
    ]
  )
}

export function serviceSpec(release: Pick<Release, 'config' | 'image_id'>, service: string): ServiceSpec {
  const part = serviceSpecs(release).find((one) => one.service === service)
  if (!part) throw new Error(`The release has no service ${service}.`)
  return part
}

interface PlannedDeployment {
  plan: readonly PlannedService[] | null
}

/** A deployment without a plan affects all services. */
export const plannedAction = (
  { plan }: PlannedDeployment,
  service: string,
): PlannedService['action'] | undefined =>
  plan ? plan.find((one) => one.service === service)?.action : 'rolled'

export const createsContainers = (deployment: PlannedDeployment, service: string) =>
  ['added', 'rolled', 'recreated'].includes(plannedAction(deployment, service) ?? '')

export const isReplaced = (deployment: PlannedDeployment, service: string) =>
  plannedAction(deployment, service) !== 'unchanged'

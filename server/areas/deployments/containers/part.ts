import type { PlannedService, ReleaseService } from '../../../tables.ts'
import type { Release } from '../../applications/release.ts'
import type { Deployment } from '../run/deployment.ts'

/** What the containers of one service are made of. An image alone is one part, whose service has no name. */
export type Part = { service: string } & Pick<
  ReleaseService,
  'image_id' | 'replicas' | 'restart' | 'retries' | 'memory_limit' | 'completes' | 'optional'
>

export function partsOf({ config, image_id }: Pick<Release, 'config' | 'image_id'>): Part[] {
  const { replicas, restart, memory_limit } = config
  return (
    config.services?.map(({ name, ...service }) => ({ ...service, service: name })) ?? [
      { service: '', image_id, replicas, restart, memory_limit, completes: false },
    ]
  )
}

export function partOf(release: Pick<Release, 'config' | 'image_id'>, service: string): Part {
  const part = partsOf(release).find((one) => one.service === service)
  if (!part) throw new Error(`The release has no service ${service}.`)
  return part
}

type Planned = Pick<Deployment, 'plan'>

/** One that was begun before there were plans rolls all that it has. */
export const actionOn = ({ plan }: Planned, service: string): PlannedService['action'] | undefined =>
  plan ? plan.find((one) => one.service === service)?.action : 'rolled'

/** Whether new containers are made for it. */
export const isMade = (deployment: Planned, service: string) =>
  ['added', 'rolled', 'recreated'].includes(actionOn(deployment, service) ?? '')

/** Whether what runs of it goes. */
export const isReplaced = (deployment: Planned, service: string) =>
  actionOn(deployment, service) !== 'unchanged'

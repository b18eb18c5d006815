import type { Instance } from '../../applications/instance.ts'
import type { Deployment } from './deployment.ts'

type DeploymentRef = Pick<Deployment, 'id' | 'type'>

export function removedContainersMessage(
  { id, type }: DeploymentRef,
  instances: Pick<Instance, 'state' | 'drained_by'>[],
): string {
  const one = instances.length === 1
  const subject = one ? 'container' : 'containers'
  if (instances.every(({ state }) => state === 'stopped')) return `Removed the stopped ${subject}`
  if (instances.every(({ drained_by }) => drained_by !== id))
    return one
      ? 'Removed 1 container of an earlier deployment'
      : `Removed ${instances.length} containers of earlier deployments`
  if (type === 'stop_application') return one ? 'Container stopped' : `${instances.length} containers stopped`
  return one ? 'Old container drained' : `${instances.length} old containers drained`
}

export function openRequestsMessage(
  { type }: Pick<DeploymentRef, 'type'>,
  count: number,
  seconds: number,
): string {
  const open = count === 1 ? '1 open request' : `${count} open requests`
  return type === 'stop_application'
    ? `Waiting up to ${seconds} s for ${open} before the containers stop`
    : `Waiting up to ${seconds} s for ${open} on the old containers`
}

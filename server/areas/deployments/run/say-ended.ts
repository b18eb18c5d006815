import type { Instance } from '../../applications/instance.ts'
import type { Deployment } from './deployment.ts'

type Of = Pick<Deployment, 'id' | 'type'>

/** What a container that has ended was to this deployment. */
export function sayEnded({ id, type }: Of, instances: Pick<Instance, 'state' | 'drained_by'>[]): string {
  const one = instances.length === 1
  const subject = one ? 'container' : 'containers'
  if (instances.every(({ state }) => state === 'stopped'))
    return `The stopped ${subject} ${one ? 'was' : 'were'} removed, as ${one ? 'a new one takes its' : 'new ones take their'} place.`
  if (instances.every(({ drained_by }) => drained_by !== id))
    return one
      ? 'A container that an earlier deployment had left has ended.'
      : `${instances.length} containers that earlier deployments had left have ended.`
  if (type === 'stop_application')
    return one ? 'The container has stopped.' : `${instances.length} containers have stopped.`
  return one ? 'The old container has ended.' : `${instances.length} old containers have ended.`
}

export function sayOpen({ type }: Pick<Of, 'type'>, count: number, seconds: number): string {
  const open = `Waiting for ${count === 1 ? '1 open request' : `${count} open requests`}`
  const most = `for at most ${seconds === 1 ? '1 second' : `${seconds} seconds`}`
  return type === 'stop_application'
    ? `${open} to end before the containers stop, ${most}.`
    : `${open} on the old containers to end, ${most}.`
}

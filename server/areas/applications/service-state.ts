import type { serviceStates } from '../../../contract/compose.ts'
import type { ReleaseService } from '../../tables.ts'
import type { Facts } from './facts-store.ts'
import { hasCompleted, stateOf } from './state.ts'
import type { ApplicationRow } from './store.ts'

interface ServiceState {
  state: (typeof serviceStates)[number]
  reason: string | null
  running: number
  wanted: number
}

/** The same of one service: the facts are those of its own containers. */
export function stateOfService(
  application: Pick<ApplicationRow, 'wanted'>,
  { replicas }: Pick<ReleaseService, 'replicas'>,
  facts: Facts,
): ServiceState {
  // What died soon after its deployment may have been another service.
  const { state, reason, containers } = stateOf(application, { ...facts, replicas, died: null })
  const serving = facts.instances.filter((one) => one.state === 'serving')
  const counted = { running: containers.running, wanted: containers.wanted }
  if (state === 'running' && serving.length > 0 && serving.every(hasCompleted))
    return { state: 'completed', reason: null, ...counted }
  const isStarting =
    facts.instances.some((one) => one.state === 'held') || serving.some(({ health }) => health === 'starting')
  if (isStarting && (state === 'degraded' || state === 'failed'))
    return { state: 'starting', reason, ...counted }
  if (state === 'never_deployed') return { state: 'unknown', reason, ...counted }
  return { state, reason, ...counted }
}

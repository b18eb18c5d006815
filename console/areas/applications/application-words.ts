import type { Tone } from '../../ui/badge.tsx'
import type { Application, ApplicationContainer } from './queries.ts'

type State = Application['state']

const words: Record<State, [tone: Tone, label: string]> = {
  running: ['green', 'Running'],
  failed: ['red', 'Failed'],
  degraded: ['yellow', 'Degraded'],
  unknown: ['yellow', 'Unknown'],
  stopped: ['neutral', 'Stopped'],
  never_deployed: ['neutral', 'Never deployed'],
}

export const stateTone = (state: State): Tone => words[state][0]
export const stateLabel = (state: State): string => words[state][1]

type Role = ApplicationContainer['role']

const roles: Record<Role, [tone: Tone, label: string, help: string]> = {
  starting: ['yellow', 'Starting', 'It is not ready for traffic yet.'],
  serving: ['green', 'Serving', 'It takes the traffic.'],
  draining: ['yellow', 'Draining', 'It finishes what it has begun, and takes nothing new.'],
  stopped: ['neutral', 'Stopped', 'It waits to be started again.'],
  left: ['yellow', 'Left over', 'Nobody needs it any longer; it is removed soon.'],
}

export const roleWord = (role: Role) => roles[role]

/** Whether something is being done to it: its latest deployment waits, or is under way. */
export const isDeploying = ({ deployment }: Pick<Application, 'deployment'>) =>
  deployment !== null && (deployment.status === 'queued' || deployment.status === 'running')

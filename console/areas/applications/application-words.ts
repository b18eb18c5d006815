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

/** How many of its containers do what they should. */
export function containersWords({ state, containers }: Pick<Application, 'state' | 'containers'>): string {
  if (state === 'stopped') return 'Stopped'
  if (state === 'never_deployed') return 'None yet'
  if (state === 'unknown') return 'Not known at the moment'
  const { running, routed, wanted } = containers
  const run = `${running} of ${wanted} ${running === 1 ? 'runs' : 'run'}`
  // What nothing leads to does its work without.
  if (routed === 0) return run
  return routed === wanted
    ? `${routed} of ${wanted} ${routed === 1 ? 'takes' : 'take'} traffic`
    : `${run}, ${routed} ${routed === 1 ? 'takes' : 'take'} traffic`
}

/** What runs, or would after its first deployment; null where that is no single image. */
export const imageOf = ({ source, release }: Pick<Application, 'source' | 'release'>): string | null =>
  source.services === null && source.repository === null ? (release?.image ?? source.image) : null

/** What is deployed next, where that is another image than the one that runs. */
export const nextImage = ({ source, release }: Pick<Application, 'source' | 'release'>): string | undefined =>
  release !== null && source.image !== null && source.image !== release.image ? source.image : undefined

type Role = ApplicationContainer['role']
type Word = [tone: Tone, label: string, help: string]

const roles: Record<Role, Word> = {
  starting: ['yellow', 'Starting', 'It is not ready for traffic yet.'],
  serving: ['green', 'Serving', 'It takes the traffic.'],
  held: ['neutral', 'Held', 'It is stopped, to make room for what takes its place.'],
  draining: ['yellow', 'Draining', 'It finishes what it has begun, and takes nothing new.'],
  stopped: ['neutral', 'Stopped', 'It waits to be started again.'],
  left: ['yellow', 'Left over', 'Nobody needs it any longer; it is removed soon.'],
}

/** Where it does not run, although its part asks for that. */
const idle: Partial<Record<Role, Word>> = {
  starting: ['red', 'Not started', 'It should become ready for traffic, but it does not run.'],
  serving: ['red', 'Not serving', 'It should take the traffic, but it does not run.'],
  draining: ['neutral', 'Ended', 'It has finished, and is removed soon.'],
}

/** The part that a container has in the application, as far as it can play it. */
export function roleWord({
  role,
  state,
  health,
}: Pick<ApplicationContainer, 'role' | 'state' | 'health'>): Word {
  const runs = state === 'running' || (role === 'starting' && state === 'created')
  if (role === 'stopped' && runs)
    return ['yellow', 'Running', 'The application is stopped, but somebody started it by hand.']
  if (role === 'serving' && runs && health === 'unhealthy')
    return ['yellow', 'Serving, unwell', 'It takes the traffic, but its own health check says unhealthy.']
  return (runs ? undefined : idle[role]) ?? roles[role]
}

/** Whether something is being done to it: its latest deployment waits, or is under way. */
export const isDeploying = ({ deployment }: Pick<Application, 'deployment'>) =>
  deployment !== null && (deployment.status === 'queued' || deployment.status === 'running')

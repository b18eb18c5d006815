import type { Tone } from '../../ui/badge.tsx'
import type { Application, ApplicationContainer, ApplicationDetails } from './queries.ts'

type State = Application['state']

const words: Record<State, [tone: Tone, label: string]> = {
  running: ['green', 'Running'],
  failed: ['red', 'Failed'],
  crashing: ['red', 'Crashing'],
  degraded: ['yellow', 'Degraded'],
  unknown: ['yellow', 'Unknown'],
  stopped: ['neutral', 'Stopped'],
  never_deployed: ['neutral', 'Never deployed'],
}

export const applicationStateTone = (state: State): Tone => words[state][0]
export const applicationStateLabel = (state: State): string => words[state][1]

/** Returns the label with the restarts of a crashing application, such as "Crashing · restarted 4×". */
export const applicationStateText = ({
  state,
  containers,
}: Pick<Application, 'state' | 'containers'>): string =>
  state === 'crashing'
    ? `${applicationStateLabel(state)} · restarted ${containers.restarts}×`
    : applicationStateLabel(state)

export function containersLabel({ state, containers }: Pick<Application, 'state' | 'containers'>): string {
  if (state === 'stopped') return 'Stopped'
  if (state === 'never_deployed') return 'None'
  if (state === 'unknown') return 'Unknown'
  const { running, routed, wanted } = containers
  const run = `${running}/${wanted} running`
  // Applications without domains and published ports have no routed containers.
  if (routed === 0) return run
  return routed === wanted ? `${routed}/${wanted} healthy` : `${run}, ${routed} receiving traffic`
}

/** Returns the live image, or the configured one before the first deployment; null for compose and repositories. */
export const displayedImage = ({ source, release }: Pick<Application, 'source' | 'release'>): string | null =>
  source.services === null && source.repository === null ? (release?.image ?? source.image) : null

export const nextImage = ({ source, release }: Pick<Application, 'source' | 'release'>): string | undefined =>
  release !== null && source.image !== null && source.image !== release.image ? source.image : undefined

type Role = ApplicationContainer['role']
type Word = [tone: Tone, label: string, help: string]

const roles: Record<Role, Word> = {
  starting: ['yellow', 'Starting', 'Waiting to become healthy.'],
  serving: ['green', 'Live', 'Receives traffic.'],
  held: ['neutral', 'Paused', 'Stopped while its replacement starts.'],
  draining: ['yellow', 'Draining', 'Finishing open requests. Receives no new requests.'],
  stopped: ['neutral', 'Stopped', 'Stopped with the application.'],
  left: ['yellow', 'Orphaned', 'No longer used. Slipway removes it automatically.'],
}

/** Badges of containers that are not running, by role. */
const idle: Partial<Record<Role, Word>> = {
  starting: ['red', 'Not started', 'Expected to be running, but did not start.'],
  serving: ['red', 'Not running', 'Expected to receive traffic, but is not running.'],
  draining: ['neutral', 'Exited', 'Drained. Slipway removes it automatically.'],
}

export function roleBadge({
  role,
  state,
  health,
}: Pick<ApplicationContainer, 'role' | 'state' | 'health'>): Word {
  const runs = state === 'running' || (role === 'starting' && state === 'created')
  if (role === 'stopped' && runs)
    return ['yellow', 'Running', 'The application is stopped, but this container was started manually.']
  if (role === 'serving' && runs && health === 'unhealthy')
    return ['yellow', 'Unhealthy', 'Receives traffic, but its health check is failing.']
  return (runs ? undefined : idle[role]) ?? roles[role]
}

export const isDeploying = ({ deployment }: Pick<Application, 'deployment'>) =>
  deployment !== null && (deployment.status === 'queued' || deployment.status === 'running')

/** Explains that the next deployment would repeat the crash of a release. */
export function describeCrash(
  { source, release }: Pick<ApplicationDetails, 'source' | 'release'>,
  { number, image }: NonNullable<ApplicationDetails['crashed_release']>,
): string {
  const crashed = source.type === 'docker_image' ? `Release ${number} (${image})` : `Release ${number}`
  const unless = source.type === 'github' ? ' unless the branch has a new commit' : ''
  return `${crashed} crashed, and the application was rolled back to release ${release?.number}. The configuration has not changed since then, so another deployment is likely to crash as well${unless}.`
}

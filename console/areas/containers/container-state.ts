import type { Tone } from '../../ui/badge.tsx'
import type { Container, ContainerVerb } from './queries.ts'

type State = Container['state']

/** Order of the list: states that need attention come first. */
const stateLabels: Record<State, [tone: Tone, word: string]> = {
  restarting: ['yellow', 'Restarting'],
  dead: ['red', 'Dead'],
  removing: ['yellow', 'Removing'],
  running: ['green', 'Running'],
  paused: ['yellow', 'Paused'],
  created: ['neutral', 'Created'],
  exited: ['neutral', 'Exited'],
}

const known = Object.entries(stateLabels)

/** Exit codes are 128 plus SIGINT, SIGKILL or SIGTERM. A signal ended the program, which is not necessarily a failure. */
const ended: readonly number[] = [130, 137, 143]

function exitTone(code: number): Tone {
  if (code === 0) return 'neutral'
  return ended.includes(code) ? 'yellow' : 'red'
}

/** A newer API may report unknown states, which are shown as they are. */
export function containerStateLabel({
  state,
  exit_code: code,
}: {
  state: string
  exit_code: number | null
}): [Tone, string] {
  if (state === 'exited' && code !== null) return [exitTone(code), `Exited (${code})`]
  const entry = known.find(([name]) => name === state)
  return entry?.[1] ?? ['yellow', state.charAt(0).toUpperCase() + state.slice(1)]
}

const healths: Record<NonNullable<Container['health']>, [tone: Tone, word: string]> = {
  starting: ['yellow', 'Checking health'],
  healthy: ['green', 'Healthy'],
  unhealthy: ['red', 'Unhealthy'],
}

/** Docker keeps the last health status after an exit, so show the status only while the container runs. */
export const containerHealthLabel = ({ state, health }: Pick<Container, 'state' | 'health'>) =>
  health !== null && (state === 'running' || state === 'paused') ? healths[health] : undefined

/** Lower numbers are more urgent. Unknown states and unhealthy containers come first. */
export const containerUrgency = (container: Pick<Container, 'state' | 'health'>) =>
  containerHealthLabel(container) === healths.unhealthy
    ? -1
    : known.findIndex(([name]) => name === container.state)

export const pendingLabels: Record<ContainerVerb, string> = {
  start: 'Starting…',
  stop: 'Stopping…',
  restart: 'Restarting…',
  pause: 'Pausing…',
  unpause: 'Unpausing…',
  kill: 'Killing…',
  rename: 'Renaming…',
  remove: 'Removing…',
}

const actionsByState: Record<State, readonly ContainerVerb[]> = {
  created: ['start', 'rename', 'remove'],
  exited: ['start', 'rename', 'remove'],
  running: ['stop', 'restart', 'pause', 'kill', 'rename', 'remove'],
  paused: ['unpause', 'stop', 'restart', 'kill', 'rename', 'remove'],
  restarting: ['stop', 'restart', 'kill', 'rename', 'remove'],
  removing: [],
  dead: ['remove'],
}

/** Docker would refuse other actions in this state. */
export const actionsForState = (state: State): readonly ContainerVerb[] => actionsByState[state] ?? []

/** Docker removes such a container only by force, which kills the container first. */
export const isAlive = (state: State) => state === 'running' || state === 'paused' || state === 'restarting'

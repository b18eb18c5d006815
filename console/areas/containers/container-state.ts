import type { Tone } from '../../ui/badge.tsx'
import type { ContainerVerb } from './mutations.ts'
import type { Container } from './queries.ts'

type State = Container['state']

/** In the order of the list: what needs attention comes first. */
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

/** 128 and the number of the signal: somebody ended it, by Ctrl-C, `docker kill` or `docker stop`, or the kernel did. */
const ended: readonly number[] = [130, 137, 143]

function exitTone(code: number): Tone {
  if (code === 0) return 'neutral'
  return ended.includes(code) ? 'yellow' : 'red'
}

/** A newer server may know states that this page does not; they are told as they come. */
export function containerStateLabel({
  state,
  exit_code: code,
}: {
  state: string
  exit_code: number | null
}): [Tone, string] {
  if (state === 'exited' && code !== null) return [exitTone(code), `Exited (${code})`]
  const found = known.find(([name]) => name === state)
  return found?.[1] ?? ['yellow', state.charAt(0).toUpperCase() + state.slice(1)]
}

const healths: Record<NonNullable<Container['health']>, [tone: Tone, word: string]> = {
  starting: ['yellow', 'Health starting'],
  healthy: ['green', 'Healthy'],
  unhealthy: ['red', 'Unhealthy'],
}

/** Only what runs can be healthy: Docker keeps what a check has said last. */
export const containerHealthLabel = ({ state, health }: Pick<Container, 'state' | 'health'>) =>
  health !== null && (state === 'running' || state === 'paused') ? healths[health] : undefined

/** The lower, the sooner somebody should look; what is unknown or unhealthy comes first. */
export const urgencyOf = (container: Pick<Container, 'state' | 'health'>) =>
  containerHealthLabel(container) === healths.unhealthy
    ? -1
    : known.findIndex(([name]) => name === container.state)

/** As its badge says it while it is under way. */
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

/** What can be done to a container as it is; Docker would refuse the rest. */
export const actionsForState = (state: State): readonly ContainerVerb[] => actionsByState[state] ?? []

/** Docker removes it only by force, which kills it first. */
export const isAlive = (state: State) => state === 'running' || state === 'paused' || state === 'restarting'

import type { applicationStates } from '../../../contract/applications.ts'
import type { projectStates } from '../../../contract/projects.ts'
import type { serverStatuses } from '../../../contract/servers.ts'
import { formatList } from '../../../contract/shared/format-list.ts'

type State = (typeof projectStates)[number]

interface Part<S> {
  name: string
  state: S
}

export interface ProjectParts {
  applications: Part<(typeof applicationStates)[number]>[]
  servers: Part<(typeof serverStatuses)[number]>[]
}

/** Most severe first. */
const order = ['failed', 'degraded', 'unknown', 'running', 'stopped'] as const satisfies State[]

/** Returns the most severe state with the names of the affected parts. */
export function computeProjectState({ applications, servers }: ProjectParts): {
  state: State
  reason: string | null
} {
  const seen = [
    ...applications.map(({ name, state }) => ({ state: ofApplication(state), says: state, name })),
    ...servers.flatMap(({ name, state }) => {
      const counts = ofServer(state)
      return counts ? [{ state: counts, says: state, name }] : []
    }),
  ]
  const worst = order.find((state) => seen.some((one) => one.state === state))
  // Ready servers say nothing about stopped applications.
  if (!worst) return { state: servers.length > 0 ? 'running' : 'empty', reason: null }
  const those = seen.filter(({ state }) => state === worst)
  const sentences = Object.entries(words).flatMap(([says, sentence]) => {
    const names = those.flatMap((one) => (one.says === says ? [one.name] : []))
    return names.length > 0 ? [sentence(someOf(names), names.length > 1)] : []
  })
  return { state: worst, reason: sentences.join(' ') || null }
}

const ofApplication = (state: ProjectParts['applications'][number]['state']) =>
  state === 'never_deployed' ? 'stopped' : state

const ofServer = (status: ProjectParts['servers'][number]['state']): 'failed' | 'unknown' | undefined => {
  if (status === 'failed' || status === 'unreachable') return 'failed'
  return status === 'ready' || status === 'deleting' ? undefined : 'unknown'
}

type Sentence = (names: string, several: boolean) => string

/** States without an entry need no explanation. */
const words: Record<string, Sentence> = {
  failed: (names) => `${names} failed.`,
  unreachable: (names, several) => `${names} ${several ? 'are' : 'is'} unreachable.`,
  degraded: (names, several) => `${names} ${several ? 'are' : 'is'} degraded.`,
  unknown: (names) => `The status of ${names} is unknown.`,
  setting_up: (names, several) => `${names} ${several ? 'are' : 'is'} being set up.`,
  provisioning: (names, several) => `${names} ${several ? 'are' : 'is'} being created at the cloud provider.`,
  pending: (names, several) => `${names} ${several ? 'have' : 'has'} not connected yet.`,
}

const most = 3

const someOf = (names: string[]) =>
  formatList(names.length > most + 1 ? [...names.slice(0, most), `${names.length - most} more`] : names)

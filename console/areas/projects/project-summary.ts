import type { Tone } from '../../ui/badge.tsx'
import { applicationPath, serverPath } from '../../paths.ts'
import type { Project, ProjectMap } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

const words: Record<Project['state'], [tone: Tone, label: string]> = {
  failed: ['red', 'Failed'],
  degraded: ['yellow', 'Degraded'],
  unknown: ['yellow', 'Unknown'],
  running: ['green', 'Running'],
  stopped: ['neutral', 'Stopped'],
  empty: ['neutral', 'Empty'],
}

const causes: Partial<Record<Project['state'], readonly string[]>> = {
  failed: ['failed', 'crashing', 'unreachable'],
  degraded: ['degraded'],
  unknown: ['unknown', 'setting_up', 'provisioning', 'pending'],
}

interface Member {
  name: string
  to: string
}

export function findTroubledMembers(
  state: Project['state'],
  { applications, servers }: Pick<ProjectMap, 'applications' | 'servers'>,
): Member[] {
  const states = causes[state] ?? []
  return [
    ...applications
      .filter((application) => states.includes(application.state))
      .map(({ id, name }) => ({ name, to: applicationPath(id) })),
    ...servers
      .filter(({ status }) => states.includes(status))
      .map(({ id, name }) => ({ name, to: serverPath(id) })),
  ]
}

export const projectStateTone = (state: Project['state']): Tone => words[state][0]
export const projectStateLabel = (state: Project['state']): string => words[state][1]

function formatHealthyCount({ total, healthy }: Project['applications'], thing: string, so: string): string {
  if (total === 0) return `No ${thing}s`
  if (total === 1) return `1 ${thing}, ${healthy === 1 ? so : `not ${so}`}`
  return `${total} ${thing}s, ${healthy === total ? 'all' : healthy === 0 ? 'none' : healthy} ${so}`
}

export const applicationsSummary = ({ applications }: Pick<Project, 'applications'>) =>
  formatHealthyCount(applications, 'application', 'running')

export const serversSummary = ({ servers }: Pick<Project, 'servers'>) =>
  formatHealthyCount(servers, 'server', 'ready')

export const variablesSummary = ({ variables }: Pick<Project, 'variables'>) =>
  variables === 0 ? 'No variables' : formatCount(variables, 'variable')

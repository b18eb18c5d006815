import { matchesTerm } from '../../lib/matches-term.ts'
import { isAlive } from './container-state.ts'
import type { Container } from './queries.ts'

export const stateFilters = [
  { value: '', label: 'All' },
  { value: 'running', label: 'Running' },
  { value: 'stopped', label: 'Not running' },
] as const

/** An unknown filter matches everything. */
export function matchesStateFilter({ state }: Pick<Container, 'state'>, show: string): boolean {
  if (show === 'running') return isAlive(state)
  if (show === 'stopped') return !isAlive(state)
  return true
}

type Searched = Pick<Container, 'id' | 'name' | 'image' | 'project' | 'service'>

export const matchesSearch = ({ id, name, image, project, service }: Searched, q: string) =>
  matchesTerm(q, name, image, project ?? '', service ?? '') || id.startsWith(q.trim().toLowerCase())

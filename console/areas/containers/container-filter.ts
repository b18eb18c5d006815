import { matches } from '../../lib/matches.ts'
import { isAlive } from './container-state.ts'
import type { Container } from './queries.ts'

/** What the list can be cut down to, as the address says it. */
export const stateFilters = [
  { value: '', label: 'All' },
  { value: 'running', label: 'Running' },
  { value: 'stopped', label: 'Not running' },
] as const

/** A word that this page does not know leaves nothing out. */
export function matchesStateFilter({ state }: Pick<Container, 'state'>, show: string): boolean {
  if (show === 'running') return isAlive(state)
  if (show === 'stopped') return !isAlive(state)
  return true
}

type Searched = Pick<Container, 'id' | 'name' | 'image' | 'project' | 'service'>

/** By its name, its image, the group it belongs to, or its id, of which one may have only the beginning. */
export const matchesSearch = ({ id, name, image, project, service }: Searched, q: string) =>
  matches(q, name, image, project ?? '', service ?? '') || id.startsWith(q.trim().toLowerCase())

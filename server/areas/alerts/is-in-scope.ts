import type { AlertRow, Subject } from './observation.ts'

type Scope = Pick<AlertRow, 'scope_kind' | 'scope_id' | 'scope_container'>
/** A server has the projects it belongs to; any other subject has the project of its application. */
type ScopedSubject = Pick<Subject, 'server_id' | 'application_id' | 'projects' | 'container'>

export function isInScope({ scope_kind, scope_id, scope_container }: Scope, placed: ScopedSubject): boolean {
  if (scope_kind === 'all') return true
  if (scope_id === null) return false
  if (scope_kind === 'project') return placed.projects.some((id) => id === scope_id)
  if (scope_kind === 'application') return placed.application_id === scope_id
  if (placed.server_id !== scope_id) return false
  return scope_kind === 'server' || placed.container === scope_container
}

import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Tables } from '../../tables.ts'

export type AlertRow = Selectable<Tables['alerts']>

export interface Subject {
  kind: Tables['incidents']['subject_kind']
  id: string
  name: string
  workspace_id: Id<'workspace'>
  server_id: Id<'server'> | null
  server_name: string | null
  application_id: Id<'application'> | null
  projects: Id<'project'>[]
  container: string | null
}

export interface Reading {
  value: number | boolean
  detail?: string | null
  exit_code?: number | null
  url?: string
  deployment_id?: Id<'deployment'>
}

export interface Observation {
  alert: AlertRow
  subject: Subject
  reading: Reading
}

export interface ObservedSubject {
  subject: Subject
  read: (alert: AlertRow) => Reading | undefined
  skipReason?: (alert: AlertRow) => string | undefined
}

type AlertScope = Pick<AlertRow, 'scope_kind' | 'scope_id' | 'scope_container'>

/** A server has the projects it belongs to; any other subject has the project of its application. */
export function isInScope({ scope_kind, scope_id, scope_container }: AlertScope, subject: Subject): boolean {
  if (scope_kind === 'all') return true
  if (scope_id === null) return false
  if (scope_kind === 'project') return subject.projects.some((id) => id === scope_id)
  if (scope_kind === 'application') return subject.application_id === scope_id
  if (subject.server_id !== scope_id) return false
  return scope_kind === 'server' || subject.container === scope_container
}

export const isWatchedBy = (alert: AlertRow, { subject, skipReason }: ObservedSubject): boolean =>
  isInScope(alert, subject) && skipReason?.(alert) === undefined

/** Tells whether the time of an entry changed. An earlier time counts as well, because the clock may be set back. */
export function createChangeFilter(): (key: string, at: Date) => boolean {
  const times = new LRUCache<string, number>({ max: 100_000 })
  return (key, at) => {
    const isNew = times.get(key) !== at.getTime()
    times.set(key, at.getTime())
    return isNew
  }
}

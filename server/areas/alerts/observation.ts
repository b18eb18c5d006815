import type { Selectable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Tables } from '../../tables.ts'

export type AlertRow = Selectable<Tables['alerts']>

/** What an alert looks at: one server, container, application or certificate. */
export interface Subject {
  kind: Tables['incidents']['subject_kind']
  /** Of a container: Docker's. */
  id: string
  name: string
  workspace_id: Id<'workspace'>
  server_id: Id<'server'> | null
  /** Of the server that it is on. */
  server_name: string | null
  application_id: Id<'application'> | null
  projects: Id<'project'>[]
  /** The name of the container, where it is one. */
  container: string | null
}

/** What was seen of it at one moment. */
export interface Reading {
  /** Held against the threshold; where there is none, `true` is bad. */
  value: number | boolean
  /** What is known beyond that: the reason of a server, the first error of a deployment, what an address answers. */
  detail?: string | null
  exit_code?: number | null
  url?: string
  deployment_id?: Id<'deployment'>
}

/** What an incident is about. */
export interface Observation {
  alert: AlertRow
  subject: Subject
  reading: Reading
}

export interface SubjectReading {
  subject: Subject
  reading: Reading
}

/** Something that is there, and what an alert sees of it. */
export interface ObservedSubject {
  subject: Subject
  /** Nothing when there is nothing new to see. */
  read: (alert: AlertRow) => Reading | undefined
  /** Why there is nothing of it that an alert could look at, in a sentence; nothing when there is. */
  whyNot?: (alert: AlertRow) => string | undefined
}

import type { Selectable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Tables } from '../../tables.ts'

export type AlertRow = Selectable<Tables['alerts']>

/** A server, container, application or certificate that an alert observes. */
export interface Subject {
  kind: Tables['incidents']['subject_kind']
  /** For a container: Docker's ID. */
  id: string
  name: string
  workspace_id: Id<'workspace'>
  server_id: Id<'server'> | null
  /** Name of the server that the subject runs on. */
  server_name: string | null
  application_id: Id<'application'> | null
  projects: Id<'project'>[]
  /** Container name, when the subject is a container. */
  container: string | null
}

export interface Reading {
  /** Compared with the threshold; without a threshold `true` meets the condition. */
  value: number | boolean
  /** Additional information, such as a server's status reason or the first error of a deployment. */
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

export interface SubjectReading {
  subject: Subject
  reading: Reading
}

export interface ObservedSubject {
  subject: Subject
  /** Returns undefined when there is no new reading. */
  read: (alert: AlertRow) => Reading | undefined
  /** Returns the reason why the alert cannot observe the subject at present, if there is one. */
  skipReason?: (alert: AlertRow) => string | undefined
}

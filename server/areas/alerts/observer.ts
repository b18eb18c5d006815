import type { Selectable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import { groupBy } from '../../platform/group-by.ts'
import {
  type EngineState,
  type Moment,
  isInScope,
  isWatchedBy,
  type RefreshedWorkspaces,
  type Rules,
} from './engine-state.ts'
import { readApplications, readCertificates } from './readings/applications.ts'
import { type CheckRow, createChecksReader } from './http-checks.ts'
import { createContainersReader } from './readings/containers.ts'
import { createServersReader } from './readings/servers.ts'

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
  /** Replaces the comparison of the value with the threshold. */
  is_met?: boolean | undefined
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

/**
 * Milliseconds between reads. Polling is rare, because events of applications trigger a read and certificates last
 * days.
 */
const APPLICATIONS_EVERY = 10_000
const CERTIFICATES_EVERY = 60_000

type SubjectsById = Map<string, ObservedSubject[]>

export interface Observations {
  observations: Observation[]
  subjects: Record<Subject['kind'], SubjectsById>
}

export function createObserver(ctx: Context, rules: Rules) {
  const { db } = ctx
  const readServers = createServersReader(db)
  const readContainers = createContainersReader(db, rules)
  const readChecks = createChecksReader(db)
  const applications = createPeriodicReader(APPLICATIONS_EVERY, () => readApplications(db))
  const certificates = createPeriodicReader(CERTIFICATES_EVERY, async () => {
    const alerts = rules.ofKinds(['certificate_expiry'])
    const workspaces = [...new Set(alerts.map(({ workspace_id }) => workspace_id))]
    return workspaces.length > 0 ? readCertificates(db, workspaces) : []
  })
  const stop = ctx.bus.on('events', (payload) => {
    if (payload.includes('"deployment.') || payload.includes('"application.')) applications.invalidate()
  })

  async function observe(
    state: EngineState,
    { now, at }: Moment,
    refreshed: RefreshedWorkspaces,
  ): Promise<Observations> {
    if (refreshed === 'all' || refreshed.length > 0) {
      applications.invalidate()
      certificates.invalidate()
    }
    const { servers, live } = await readServers(now)
    const open = [...state.subjects.values()].flatMap(({ incident }) =>
      incident?.subject_kind === 'container'
        ? [{ server_id: incident.server_id, container_id: incident.subject_id }]
        : [],
    )
    const containers = await readContainers({ now, at, refreshed, live, open })
    const changed = [
      ...servers,
      ...containers,
      ...(await applications.read(at)),
      ...(await certificates.read(at)),
    ]
    const subjects = {
      server: byId(servers),
      container: byId(containers),
      application: byId(applications.last()),
      certificate: byId(certificates.last()),
    }
    const checks = rules.ofKinds(['http_check']).length > 0 ? await readChecks(now) : []
    const checked = checks.flatMap((check) => observeCheck(check, subjects.application))
    return { observations: [...changed.flatMap(observeSubject), ...checked], subjects }
  }

  const observeSubject = ({ subject, read }: ObservedSubject): Observation[] =>
    rules.of(subject).flatMap((alert) => {
      const reading = isInScope(alert, subject) ? read(alert) : undefined
      return reading ? [{ alert, subject, reading }] : []
    })

  function observeCheck(
    { alert_id, application_id, ok, error, url }: CheckRow,
    subjects: SubjectsById,
  ): Observation[] {
    const alert = rules.find(alert_id)
    const application = subjects.get(application_id)?.[0]
    if (!alert?.enabled || !application || !isWatchedBy(alert, application)) return []
    return [{ alert, subject: application.subject, reading: { value: !ok, detail: error, url } }]
  }

  return {
    observe,
    applications: applications.last,
    readApplicationsAgain: applications.invalidate,
    stop,
  }
}

const byId = (observed: readonly ObservedSubject[]): SubjectsById =>
  groupBy(observed, ({ subject }) => subject.id)

function createPeriodicReader(milliseconds: number, query: () => Promise<ObservedSubject[]>) {
  let last: ObservedSubject[] = []
  let readAt = -Infinity
  return {
    invalidate: () => void (readAt = -Infinity),
    last: () => last,
    async read(at: number): Promise<ObservedSubject[]> {
      if (at - readAt < milliseconds) return []
      // Set before the query, so that a change during the query makes it due again.
      readAt = at
      try {
        last = await query()
      } catch (error) {
        // A failed read does not mean that subjects are gone, so evaluate nothing until one succeeds.
        readAt = -Infinity
        throw error
      }
      return last
    },
  }
}

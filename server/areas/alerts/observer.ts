import type { Context } from '../../context.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { Observation, ObservedSubject, Subject } from './observation.ts'
import { isInScope } from './is-in-scope.ts'
import type { EngineState, Moment } from './engine-state.ts'
import { readApplications } from './readings/applications.ts'
import { readCertificates } from './readings/certificates.ts'
import { type CheckRow, createChecksReader } from './readings/checks.ts'
import { createContainersReader } from './readings/containers.ts'
import { createServersReader } from './readings/servers.ts'
import type { RefreshedWorkspaces, Rules } from './rules.ts'

/**
 * Milliseconds. Applications are also read when an event concerns them; certificates expire in days, so a minute is
 * enough.
 */
const APPLICATIONS_EVERY = 10_000
const CERTIFICATES_EVERY = 60_000

type SubjectsById = Map<string, ObservedSubject[]>

export interface Observations {
  observations: Observation[]
  /** Subjects by kind and ID: all of them, but only changed containers and those with incidents. */
  subjects: Record<Subject['kind'], SubjectsById>
}

/** Reads each kind of subject only as often as it can have changed. */
export function createObserver(ctx: Context, rules: Rules) {
  const { db } = ctx
  const readServers = createServersReader(db)
  const readContainers = createContainersReader(db, rules)
  const readChecks = createChecksReader(db)
  const applications = createPeriodicReader(APPLICATIONS_EVERY, () => readApplications(db))
  const certificates = createPeriodicReader(CERTIFICATES_EVERY, async () => {
    const alerts = rules.ofKinds(['certificate_expiry'])
    const workspaces = [...new Set(alerts.map(({ workspace_id }) => workspace_id))]
    const found = workspaces.length > 0 ? await readCertificates(db, workspaces) : []
    return found.map(({ subject, reading }): ObservedSubject => ({ subject, read: () => reading }))
  })
  const off = ctx.bus.on('events', (payload) => {
    if (payload.includes('"deployment.') || payload.includes('"application.')) applications.isDue()
  })

  async function look(
    memory: EngineState,
    { now, at }: Moment,
    refreshed: RefreshedWorkspaces,
  ): Promise<Observations> {
    if (refreshed === 'all' || refreshed.length > 0) {
      applications.isDue()
      certificates.isDue()
    }
    const servers = await readServers(now)
    const open = [...memory.subjects.values()].flatMap(({ incident }) =>
      incident?.subject_kind === 'container'
        ? [{ server_id: incident.server_id, container_id: incident.subject_id }]
        : [],
    )
    const containers = await readContainers({ now, at, refreshed, live: servers.live, open })
    const fresh = [
      ...servers.sightings,
      ...containers,
      ...(await applications.read(at)),
      ...(await certificates.read(at)),
    ]
    const subjects = {
      server: byId(servers.sightings),
      container: byId(containers),
      application: byId(applications.last()),
      certificate: byId(certificates.last()),
    }
    const calling = rules.ofKinds(['http_check']).length > 0
    const checked = calling
      ? (await readChecks(now)).flatMap((one) => ofCheck(one, subjects.application))
      : []
    return { observations: [...fresh.flatMap(seenBy), ...checked], subjects: subjects }
  }

  const seenBy = (sighting: ObservedSubject): Observation[] =>
    rules.of(sighting.subject).flatMap((alert) => {
      if (!isInScope(alert, sighting.subject)) return []
      const reading = sighting.read(alert)
      return reading ? [{ alert, subject: sighting.subject, reading }] : []
    })

  function ofCheck(
    { alert_id, application_id, ok, error, url }: CheckRow,
    subjects: SubjectsById,
  ): Observation[] {
    const alert = rules.find(alert_id)
    const sighting = subjects.get(application_id)?.[0]
    if (!alert?.enabled || !sighting || !isWatchedBy(alert, sighting)) return []
    return [{ alert, subject: sighting.subject, reading: { value: !ok, detail: error, url } }]
  }

  return {
    look,
    applications: applications.last,
    /** A replaced incident leaves another reading to evaluate. */
    lookAgain: applications.isDue,
    stop: off,
  }
}

export const isWatchedBy = (alert: Observation['alert'], { subject, skipReason }: ObservedSubject): boolean =>
  isInScope(alert, subject) && skipReason?.(alert) === undefined

const byId = (sightings: readonly ObservedSubject[]): SubjectsById =>
  groupBy(sightings, ({ subject }) => subject.id)

/** Reads at most once per interval and keeps the last result for lookups. */
function createPeriodicReader(milliseconds: number, ask: () => Promise<ObservedSubject[]>) {
  let last: ObservedSubject[] = []
  let readAt = -Infinity
  return {
    isDue: () => void (readAt = -Infinity),
    last: () => last,
    async read(at: number): Promise<ObservedSubject[]> {
      if (at - readAt < milliseconds) return []
      // Set before the query, so that a change during the query makes it due again.
      readAt = at
      try {
        last = await ask()
      } catch (error) {
        // A failed read does not mean that subjects are gone, so evaluate nothing until one succeeds.
        readAt = -Infinity
        throw error
      }
      return last
    },
  }
}

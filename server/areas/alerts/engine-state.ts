import { sql } from 'kysely'
import { type Id, id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import type { IncidentRow } from './incident.ts'
import type { AlertState } from './evaluate.ts'
import type { Observation, AlertRow, ObservedSubject, Subject } from './observer.ts'
import { z } from 'zod'
import { type AlertKindName, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import type { Context } from '../../context.ts'
import { groupBy } from '../../platform/group-by.ts'

/** Milliseconds between complete reads, in case an event was missed. */
const READ_ALL_EVERY = 60_000

const changing = new Set([
  'alert.created',
  'alert.changed',
  'alert.updated',
  'alert.deleted',
  'alert.muted',
  'alert.unmuted',
])

const alertEvent = z.object({ type: z.string(), workspace_id: id('workspace') })

export type RefreshedWorkspaces = 'all' | readonly Id<'workspace'>[]

export function createRules(ctx: Context) {
  const alerts = new Map<Id<'alert'>, AlertRow>()
  let on = new Map<string, AlertRow[]>()
  const changed = new Set<Id<'workspace'>>()
  let readAt = -Infinity

  function onEvent(payload: string) {
    if (!payload.includes('"alert.')) return
    const { type, workspace_id } = alertEvent.parse(JSON.parse(payload))
    if (changing.has(type)) changed.add(workspace_id)
  }
  const off = [ctx.bus.on('events', onEvent), ctx.bus.onReconnect(() => (readAt = -Infinity))]

  async function refresh(at: number): Promise<RefreshedWorkspaces> {
    const all = at - readAt >= READ_ALL_EVERY
    const some = [...changed]
    if (!all && some.length === 0) return []
    changed.clear()
    try {
      const query = ctx.db.selectFrom('alerts').selectAll().orderBy('id')
      const rows = await (all ? query : query.where('workspace_id', 'in', some)).execute()
      for (const [id, { workspace_id }] of alerts) if (all || some.includes(workspace_id)) alerts.delete(id)
      for (const row of rows) alerts.set(row.id, row)
    } catch (error) {
      for (const id of some) changed.add(id)
      throw error
    }
    if (all) readAt = at
    const enabled = [...alerts.values()].filter((alert) => alert.enabled)
    on = groupBy(enabled, ({ workspace_id, kind }) => ruleKey(workspace_id, alertKinds[kind].subject))
    return all ? 'all' : some
  }

  return {
    refresh,
    isEmpty: () => on.size === 0,
    find: (id: Id<'alert'>) => alerts.get(id),
    of: ({ workspace_id, kind }: Pick<Subject, 'workspace_id' | 'kind'>): readonly AlertRow[] =>
      on.get(ruleKey(workspace_id, kind)) ?? [],
    ofKinds: (kinds: readonly AlertKindName[]) =>
      [...on.values()].flat().filter(({ kind }) => kinds.includes(kind)),
    stop() {
      for (const end of off) end()
    },
  }
}

export type Rules = ReturnType<typeof createRules>

const ruleKey = (workspaceId: Id<'workspace'>, kind: Subject['kind']) => `${workspaceId} ${kind}`

type AlertScope = Pick<AlertRow, 'scope_kind' | 'scope_id' | 'scope_container'>

/** A project scope includes the servers that belong to the project, and other subjects through their application. */
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

export type OpenIncident = Omit<IncidentRow, 'cause_sealed'>

/** Time of the last notification about a subject, in this incident or an earlier one, by the monotonic clock. */
interface LastNotified {
  alertId: Id<'alert'> | null
  at: number | undefined
}

export interface SubjectState {
  standing: AlertState | undefined
  incident: OpenIncident | undefined
  lastNotified: LastNotified
  /** Undefined after a restart, until the subject is observed again. */
  observation: Observation | undefined
}

export interface EngineState {
  subjects: Map<string, SubjectState>
  lastNotified: Map<string, LastNotified>
}

/** Deduplicates incidents: an alert has at most one open incident per subject. */
export const subjectKey = (alertId: string | null, subjectId: string) => `${alertId} ${subjectId}`

type IncidentSubject = Pick<
  IncidentRow,
  'alert_id' | 'subject_kind' | 'subject_id' | 'subject_name' | 'server_id'
>

/** A recreated container has a new ID but the same name, so its cooldown continues. */
export const notifiedKey = (row: IncidentSubject) =>
  row.subject_kind === 'container'
    ? `${row.alert_id} ${row.server_id} ${row.subject_name}`
    : subjectKey(row.alert_id, row.subject_id)

/** `now` is the wall-clock time, which can jump; `at` is the monotonic time in milliseconds, for durations. */
export interface Moment {
  now: Date
  at: number
}

type Workspaces = 'all' | readonly Id<'workspace'>[]

/** Durations restart after loading, because changes since the last pass are unknown. */
export async function loadEngineState(
  db: Db,
  moment: Moment,
  workspaces: Workspaces = 'all',
): Promise<EngineState> {
  const memory: EngineState = { subjects: new Map(), lastNotified: new Map() }
  for (const row of await listRecentlyNotified(db, moment.now, workspaces))
    loadLastNotified(memory, row, moment)
  for (const incident of await listOpenIncidents(db, workspaces))
    memory.subjects.set(subjectKey(incident.alert_id, incident.subject_id), {
      standing: toAlertState(incident, moment),
      incident,
      lastNotified: loadLastNotified(memory, incident, moment),
      observation: undefined,
    })
  return memory
}

function loadLastNotified(
  { lastNotified }: EngineState,
  row: IncidentSubject & { notified_at: Date | null },
  moment: Moment,
): LastNotified {
  const last = lastNotified.get(notifiedKey(row)) ?? { alertId: row.alert_id, at: undefined }
  if (row.notified_at) last.at = Math.max(toMonotonicTime(row.notified_at, moment), last.at ?? -Infinity)
  lastNotified.set(notifiedKey(row), last)
  return last
}

const toMonotonicTime = (time: Date, { now, at }: Moment) => at - Math.max(0, now.getTime() - time.getTime())

const toAlertState = ({ state }: OpenIncident, { at }: Moment): AlertState =>
  state === 'pending' ? { state, at, lasted: 0 } : { state: 'firing', at, lasted: undefined }

const inWorkspaces = (workspaces: Workspaces) =>
  workspaces === 'all' ? sql`true` : sql`i.workspace_id = any (${[...workspaces]})`

async function listOpenIncidents(db: Db, workspaces: Workspaces): Promise<OpenIncident[]> {
  const { rows } = await sql<OpenIncident>`
    select i.id, i.workspace_id, i.alert_id, i.alert_name, i.kind, i.severity, i.state, i.summary, i.subject_kind,
      i.subject_id, i.subject_name, i.server_id, i.application_id, i.deployment_id, i.value, i.threshold, i.began_at,
      i.fired_at, i.notified_at, i.notification_count, i.muted_until, i.resolved_at, i.resolved_reason
    from incidents i where i.state <> 'resolved' and ${inWorkspaces(workspaces)}`.execute(db)
  return rows
}

async function listRecentlyNotified(db: Db, now: Date, workspaces: Workspaces) {
  const { rows } = await sql<IncidentSubject & { notified_at: Date }>`
    select i.alert_id, i.subject_kind, i.subject_id, i.subject_name, i.server_id, i.notified_at
    from alerts a join incidents i on i.workspace_id = a.workspace_id and i.alert_id = a.id
    where i.state = 'resolved' and i.notified_at > ${now}::timestamptz - make_interval(secs => a.cooldown_seconds) and ${inWorkspaces(workspaces)}`.execute(
    db,
  )
  return rows
}

export async function listMutes(db: Db, workspaces: Workspaces) {
  const { rows } = await sql<Pick<IncidentRow, 'alert_id' | 'subject_id' | 'muted_until'>>`
    select i.alert_id, i.subject_id, i.muted_until from incidents i
    where i.state <> 'resolved' and ${inWorkspaces(workspaces)}`.execute(db)
  return rows
}

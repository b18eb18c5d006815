import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import type { About } from './about.ts'
import type { IncidentRow } from './incident.ts'
import type { Standing } from './judge.ts'

export type OpenIncident = Omit<IncidentRow, 'cause_sealed'>

/** When somebody was last told that something fires, in this incident or an earlier one; by the clock that only goes forward. */
export interface LastTold {
  /** Null when it was deleted. */
  alertId: Id<'alert'> | null
  at: number | undefined
}

/** What is known of one thing that an alert looks at, unless it is well and nobody was told of it lately. */
export interface Remembered {
  standing: Standing | undefined
  incident: OpenIncident | undefined
  /** One for all incidents of the same thing. */
  told: LastTold
  /** As it was seen last; nothing since a restart. */
  about: About | undefined
}

export interface Memory {
  known: Map<string, Remembered>
  told: Map<string, LastTold>
}

export const keyOf = (alertId: string | null, subjectId: string) => `${alertId} ${subjectId}`

type Named = Pick<IncidentRow, 'alert_id' | 'subject_kind' | 'subject_id' | 'subject_name' | 'server_id'>

/** A container that is made anew is another one, but not news to whoever was told of the one before. */
export const toldKeyOf = (row: Named) =>
  row.subject_kind === 'container'
    ? `${row.alert_id} ${row.server_id} ${row.subject_name}`
    : keyOf(row.alert_id, row.subject_id)

/** Two clocks at the same moment: that of the wall, which may be set, and one that only goes forward. */
export interface Moment {
  now: Date
  at: number
}

/** Of all workspaces each row carries its own along. */
type Whose = 'all' | readonly Id<'workspace'>[]

/**
 * What there is to know from the rows. How long something has been bad counts as far as somebody saw it: nobody knows how
 * it was since.
 */
export async function recall(db: Db, moment: Moment, whose: Whose = 'all'): Promise<Memory> {
  const memory: Memory = { known: new Map(), told: new Map() }
  for (const row of await listTold(db, moment.now, whose)) recallTold(memory, row, moment)
  for (const incident of await listOpen(db, whose))
    memory.known.set(keyOf(incident.alert_id, incident.subject_id), {
      standing: standingOf(incident, moment),
      incident,
      told: recallTold(memory, incident, moment),
      about: undefined,
    })
  return memory
}

function recallTold({ told }: Memory, row: Named & { told_at: Date | null }, moment: Moment): LastTold {
  const last = told.get(toldKeyOf(row)) ?? { alertId: row.alert_id, at: undefined }
  if (row.told_at) last.at = Math.max(timeOf(row.told_at, moment), last.at ?? -Infinity)
  told.set(toldKeyOf(row), last)
  return last
}

const timeOf = (time: Date, { now, at }: Moment) => at - Math.max(0, now.getTime() - time.getTime())

const standingOf = ({ state, lasted_ms }: OpenIncident, { at }: Moment): Standing =>
  state === 'pending' ? { state, at, lasted: lasted_ms } : { state: 'firing', at, lasted: undefined }

const of = (whose: Whose) => (whose === 'all' ? sql`true` : sql`i.workspace_id = any (${[...whose]})`)

async function listOpen(db: Db, whose: Whose): Promise<OpenIncident[]> {
  const { rows } = await sql<OpenIncident>`
    select i.id, i.workspace_id, i.alert_id, i.alert_name, i.kind, i.severity, i.state, i.says, i.subject_kind,
      i.subject_id, i.subject_name, i.server_id, i.application_id, i.deployment_id, i.value, i.threshold, i.began_at,
      i.fired_at, i.told_at, i.tellings, i.muted_until, i.resolved_at, i.resolved_why, i.lasted_ms
    from incidents i where i.state <> 'resolved' and ${of(whose)}`.execute(db)
  return rows
}

/** Of what is over somebody was told not long ago, so that it matters when it begins again. */
async function listTold(db: Db, now: Date, whose: Whose) {
  const { rows } = await sql<Named & { told_at: Date }>`
    select i.alert_id, i.subject_kind, i.subject_id, i.subject_name, i.server_id, i.told_at
    from alerts a join incidents i on i.workspace_id = a.workspace_id and i.alert_id = a.id
    where i.state = 'resolved' and i.told_at > ${now}::timestamptz - make_interval(secs => a.cooldown_seconds) and ${of(whose)}`.execute(
    db,
  )
  return rows
}

/** Until when incidents that are open are muted, as somebody has just said. */
export async function listMutes(db: Db, whose: Whose) {
  const { rows } = await sql<Pick<IncidentRow, 'alert_id' | 'subject_id' | 'muted_until'>>`
    select i.alert_id, i.subject_id, i.muted_until from incidents i
    where i.state <> 'resolved' and ${of(whose)}`.execute(db)
  return rows
}

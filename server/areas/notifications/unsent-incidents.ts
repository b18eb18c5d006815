import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../tables.ts'
import type { IncidentRow } from '../alerts/incident.ts'
import { type MuteSettings, quietUntil } from '../alerts/maintenance-windows.ts'
import { incidentStartKey } from './contents/alert.ts'

/** Includes the mute of the incident and the maintenance windows of its alert. */
type Candidate = IncidentRow & MuteSettings

/** Limits the messages of one transaction. */
const most = 200

/**
 * Lists firing incidents that were notified before the channel was added, turned on or subscribed to alerts, oldest
 * first. Incidents that were muted from their start are not among them: every channel is notified when the mute ends.
 */
export async function listUnsentIncidents(
  ctx: Pick<Context, 'now'>,
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'notification'>,
): Promise<IncidentRow[]> {
  const now = ctx.now()
  const { rows } = await sql<Candidate>`
    select i.*, a.windows from notifications n
    join incidents i on i.workspace_id = n.workspace_id and i.state = 'firing'
      and i.notification_count > 0 and i.notified_at <= n.updated_at
    join alerts a on a.workspace_id = i.workspace_id and a.id = i.alert_id
      and a.enabled and (a.muted_until is null or a.muted_until <= ${now})
    where n.workspace_id = ${workspaceId} and n.id = ${id} and n.enabled and 'alert' = any (n.events)
      and (a.all_channels or exists (select from alert_channels c where c.workspace_id = a.workspace_id
        and c.alert_id = a.id and c.notification_id = n.id))
    order by i.fired_at, i.id`.execute(db)
  const due = rows.filter((row) => quietUntil(row, now) === null)
  const known = await listKnownKeys(db, workspaceId, id, due)
  return due.filter((row) => !known.has(row.id) && !known.has(incidentStartKey(row))).slice(0, most)
}

async function listKnownKeys(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'notification'>,
  incidents: readonly IncidentRow[],
): Promise<Set<string | null>> {
  if (incidents.length === 0) return new Set()
  const { rows } = await sql<{ key: string; incident_id: string | null }>`
    select key, incident_id from messages where workspace_id = ${workspaceId} and notification_id = ${id}
      and (key = any(${incidents.map(incidentStartKey)}) or incident_id = any(${incidents.map((row) => row.id)}))`.execute(
    db,
  )
  return new Set(rows.flatMap(({ key, incident_id }) => [key, incident_id]))
}

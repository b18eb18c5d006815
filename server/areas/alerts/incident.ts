import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import { cause, type incident } from '../../../contract/incidents.ts'
import type { Context } from '../../context.ts'
import type { Target } from '../../events.ts'
import type { Db, Tables } from '../../tables.ts'

export type IncidentRow = Selectable<Tables['incidents']>
export type Cause = z.output<typeof cause>

export const findIncident = (db: Db, workspaceId: Id<'workspace'>, id: Id<'incident'>) =>
  db
    .selectFrom('incidents')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The event includes the alert's ID, because the alert may be deleted when a listener handles the event. */
export const incidentTarget = (row: Pick<IncidentRow, 'id' | 'subject_name' | 'alert_id'>): Target => ({
  kind: 'incident',
  id: row.id,
  name: row.subject_name,
  ...(row.alert_id !== null && { about: row.alert_id }),
})

export const presentIncident = (row: IncidentRow): z.input<typeof incident> => ({
  id: row.id,
  alert_id: row.alert_id,
  alert_name: row.alert_name,
  kind: row.kind,
  severity: row.severity,
  state: row.state,
  summary: row.says,
  subject: {
    kind: row.subject_kind,
    id: row.subject_id,
    name: row.subject_name,
    server_id: row.server_id,
    application_id: row.application_id,
    deployment_id: row.deployment_id,
  },
  value: row.value,
  threshold: row.threshold,
  started_at: row.began_at.toISOString(),
  fired_at: row.fired_at?.toISOString() ?? null,
  notified_at: row.told_at?.toISOString() ?? null,
  muted_until: row.muted_until?.toISOString() ?? null,
  resolved_at: row.resolved_at?.toISOString() ?? null,
  resolved_reason: row.resolved_why,
})

const causeSealKey = (id: Id<'incident'>) => `incidents.cause_sealed:${id}`

/** Log lines may hold anything, so they are sealed at rest. */
export const sealCause = ({ secrets }: Pick<Context, 'secrets'>, id: Id<'incident'>, found: Cause): string =>
  secrets.seal(causeSealKey(id), JSON.stringify(found))

export const readCause = (
  { secrets }: Pick<Context, 'secrets'>,
  { id, cause_sealed }: Pick<IncidentRow, 'id' | 'cause_sealed'>,
): Cause =>
  cause_sealed === null
    ? { facts: [], lines: [] }
    : cause.parse(JSON.parse(secrets.open(causeSealKey(id), cause_sealed)))

import { sql } from 'kysely'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { listIncidents } from '../../../contract/incidents.ts'
import { containsPattern, readPage } from '../../platform/page.ts'
import type { Db, Trx } from '../../tables.ts'
import type { IncidentRow } from './incident.ts'

type Query = z.output<typeof listIncidents.query>

export function listIncidentRows(db: Db, workspaceId: Id<'workspace'>, query: Query) {
  const { state, alert_id, server_id, application_id } = query
  const only = Object.entries({ state, alert_id, server_id, application_id }).flatMap(([name, value]) =>
    value === undefined ? [] : [sql`and ${sql.ref(name)} = ${value}`],
  )
  const q = containsPattern(query.q ?? '')
  return readPage<IncidentRow>(
    db,
    {
      from: sql`select * from incidents where workspace_id = ${workspaceId} ${sql.join(only, sql` `)}
        and (subject_name ilike ${q} or alert_name ilike ${q} or says ilike ${q})`,
      order: ['id'],
      direction: 'desc',
    },
    query,
  )
}

export const lockIncident = (trx: Trx, workspaceId: Id<'workspace'>, id: Id<'incident'>) =>
  trx
    .selectFrom('incidents')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const setIncidentMuted = (
  trx: Trx,
  workspaceId: Id<'workspace'>,
  id: Id<'incident'>,
  muted_until: Date | null,
) =>
  trx
    .updateTable('incidents')
    .set({ muted_until })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Pending incidents are deleted because the condition never lasted long enough to fire. */
export const deletePendingIncidents = (trx: Trx, workspaceId: Id<'workspace'>, alertId: Id<'alert'>) =>
  trx
    .deleteFrom('incidents')
    .where('workspace_id', '=', workspaceId)
    .where('alert_id', '=', alertId)
    .where('state', '=', 'pending')
    .execute()

export const resolveFiringIncidents = (
  trx: Trx,
  workspaceId: Id<'workspace'>,
  alertId: Id<'alert'>,
  reason: string,
) =>
  trx
    .updateTable('incidents')
    .set({ state: 'resolved', resolved_at: sql<Date>`now()`, resolved_why: reason })
    .where('workspace_id', '=', workspaceId)
    .where('alert_id', '=', alertId)
    .where('state', '=', 'firing')
    .returningAll()
    .execute()

export const listIncidentMessages = (db: Db, workspaceId: Id<'workspace'>, incidentId: Id<'incident'>) =>
  db
    .selectFrom('messages as m')
    .innerJoin('notifications as n', (join) =>
      join.onRef('n.workspace_id', '=', 'm.workspace_id').onRef('n.id', '=', 'm.notification_id'),
    )
    .select([
      'm.id',
      'm.notification_id',
      'n.name',
      'n.type',
      'm.kind',
      'm.status',
      'm.created_at',
      'm.sent_at',
    ])
    .where('m.workspace_id', '=', workspaceId)
    .where('m.incident_id', '=', incidentId)
    .orderBy('m.position')
    .limit(200)
    .execute()

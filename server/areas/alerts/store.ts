import { type Insertable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import type { Db, Tables, Trx } from '../../tables.ts'
import type { z } from 'zod'
import type { listIncidents } from '../../../contract/incidents.ts'
import type { IncidentRow } from './incident.ts'
import type { AlertRow } from './observer.ts'

export const listAlertRows = (db: Db, workspaceId: Id<'workspace'>, query: SearchQuery) =>
  readPage<AlertRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted from alerts where workspace_id = ${workspaceId} and name ilike ${containsPattern(query.q ?? '')}`,
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const findAlertRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'alert'>) =>
  db
    .selectFrom('alerts')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockAlertRow = (trx: Trx, workspaceId: Id<'workspace'>, id: Id<'alert'>) =>
  trx
    .selectFrom('alerts')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertAlert = (db: Db, row: Insertable<Tables['alerts']>) =>
  db.insertInto('alerts').values(row).returningAll().executeTakeFirstOrThrow()

export const updateAlertRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'alert'>,
  changes: Updateable<Tables['alerts']>,
) =>
  db
    .updateTable('alerts')
    .set({ ...changes, updated_at: new Date() })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteAlertRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'alert'>) =>
  db.deleteFrom('alerts').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export const listAlertChannels = (db: Db, workspaceId: Id<'workspace'>, ids: readonly Id<'alert'>[]) =>
  db
    .selectFrom('alert_channels')
    .select(['alert_id', 'notification_id'])
    .where('workspace_id', '=', workspaceId)
    .where('alert_id', '=', sql<Id<'alert'>>`any(${[...ids]})`)
    .orderBy('notification_id')
    .execute()

/** Locks the channels, so that they exist until the transaction ends. */
export const lockChannels = (trx: Trx, workspaceId: Id<'workspace'>, ids: readonly Id<'notification'>[]) =>
  trx
    .selectFrom('notifications')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<Id<'notification'>>`any(${[...ids]})`)
    .orderBy('id')
    .forKeyShare()
    .execute()

export async function replaceAlertChannels(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  alert_id: Id<'alert'>,
  ids: readonly Id<'notification'>[],
): Promise<void> {
  await trx
    .deleteFrom('alert_channels')
    .where('workspace_id', '=', workspaceId)
    .where('alert_id', '=', alert_id)
    .execute()
  if (ids.length > 0)
    await trx
      .insertInto('alert_channels')
      .values(ids.map((notification_id) => ({ workspace_id: workspaceId, alert_id, notification_id })))
      .execute()
}

export interface OpenCounts {
  alert_id: Id<'alert'>
  firing: number
  pending: number
}

export async function countOpenIncidents(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'alert'>[],
): Promise<OpenCounts[]> {
  const { rows } = await sql<OpenCounts>`
    select alert_id, (count(*) filter (where state = 'firing'))::integer as firing,
      (count(*) filter (where state = 'pending'))::integer as pending
    from incidents
    where workspace_id = ${workspaceId} and alert_id = any(${[...ids]}) and state <> 'resolved'
    group by alert_id`.execute(db)
  return rows
}

export async function listScopeNames(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ kind: string; id: string; name: string }>`
    select 'server' as kind, id, name from servers
    where workspace_id = ${workspaceId} and id = any(${[...ids]}) and status <> 'deleting'
    union all select 'project', id, name from projects
    where workspace_id = ${workspaceId} and id = any(${[...ids]})
    union all select 'application', id, name from applications
    where workspace_id = ${workspaceId} and id = any(${[...ids]}) and deleting_at is null`.execute(db)
  return new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
}

type IncidentQuery = z.output<typeof listIncidents.query>

export function listIncidentRows(db: Db, workspaceId: Id<'workspace'>, query: IncidentQuery) {
  const { state, alert_id, server_id, application_id } = query
  const only = Object.entries({ state, alert_id, server_id, application_id }).flatMap(([name, value]) =>
    value === undefined ? [] : [sql`and ${sql.ref(name)} = ${value}`],
  )
  const q = containsPattern(query.q ?? '')
  return readPage<IncidentRow>(
    db,
    {
      from: sql`select * from incidents where workspace_id = ${workspaceId} ${sql.join(only, sql` `)}
        and (subject_name ilike ${q} or alert_name ilike ${q} or summary ilike ${q})`,
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
    .set({ state: 'resolved', resolved_at: sql<Date>`now()`, resolved_reason: reason })
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

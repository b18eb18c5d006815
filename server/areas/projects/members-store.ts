import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables, Trx } from '../../tables.ts'

export interface Member {
  id: Id<'application'>
  name: string
  project_id: Id<'project'> | null
}

/** Locks applications until the transaction ends; skips those being deleted. */
export const lockApplications = (
  trx: Trx,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<Member[]> =>
  trx
    .selectFrom('applications')
    .select(['id', 'name', 'project_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<Id<'application'>>`any(${[...ids]})`)
    .where('deleting_at', 'is', null)
    // Ordered, so that concurrent transactions do not deadlock.
    .orderBy('id')
    .forUpdate()
    .execute()

export const listComposeApplications = (
  db: Db,
  workspaceId: Id<'workspace'>,
  projectId: Id<'project'>,
): Promise<Selectable<Tables['applications']>[]> =>
  db
    .selectFrom('applications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('project_id', '=', projectId)
    .where('compose_sealed', 'is not', null)
    .where('deleting_at', 'is', null)
    .execute()

export const setProject = (
  trx: Trx,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
  project_id: Id<'project'> | null,
) =>
  trx
    .updateTable('applications')
    .set({ project_id })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<Id<'application'>>`any(${[...ids]})`)
    .execute()

/** Locks servers against deletion until the transaction ends. */
export const lockServers = (trx: Trx, workspaceId: Id<'workspace'>, ids: readonly Id<'server'>[]) =>
  trx
    .selectFrom('servers')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<Id<'server'>>`any(${[...ids]})`)
    .orderBy('id')
    .forKeyShare()
    .execute()

export const listServerIds = async (
  db: Db,
  workspaceId: Id<'workspace'>,
  projectId: Id<'project'>,
): Promise<Set<Id<'server'>>> => {
  const rows = await db
    .selectFrom('project_servers')
    .select('server_id')
    .where('workspace_id', '=', workspaceId)
    .where('project_id', '=', projectId)
    .execute()
  return new Set(rows.map((row) => row.server_id))
}

export const addServers = async (
  trx: Trx,
  workspaceId: Id<'workspace'>,
  project_id: Id<'project'>,
  ids: readonly Id<'server'>[],
): Promise<void> => {
  if (ids.length > 0)
    await trx
      .insertInto('project_servers')
      .values(ids.map((server_id) => ({ workspace_id: workspaceId, project_id, server_id })))
      .execute()
}

export const removeServers = (
  trx: Trx,
  workspaceId: Id<'workspace'>,
  projectId: Id<'project'>,
  ids: readonly Id<'server'>[],
) =>
  trx
    .deleteFrom('project_servers')
    .where('workspace_id', '=', workspaceId)
    .where('project_id', '=', projectId)
    .where('server_id', '=', sql<Id<'server'>>`any(${[...ids]})`)
    .execute()

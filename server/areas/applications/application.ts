import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { EventType } from '../../../contract/shared/events.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor, TokenLimit } from '../../route.ts'
import type { Db, Tables, Trx } from '../../tables.ts'
import { withinLimit } from '../api-tokens/token-limit.ts'

export type ApplicationRow = Selectable<Tables['applications']>

export const applicationTarget = ({ id, name }: Pick<ApplicationRow, 'id' | 'name'>) => ({
  kind: 'application',
  id,
  name,
})

/** Throws 404 for applications that are missing or being deleted. */
export async function getApplicationRow(
  ctx: Pick<Context, 'db'>,
  actor: Pick<Actor, 'workspace'>,
  id: Id<'application'>,
): Promise<ApplicationRow> {
  const row = await findApplication(ctx.db, actor.workspace.id, id)
  if (!row || row.deleting_at) throw notFound('This application')
  return row
}

export const withLockedApplication = <T>(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  work: (trx: Trx, application: ApplicationRow) => Promise<T>,
): Promise<T> =>
  transaction(ctx.db, async (trx) => {
    const application = await lockApplication(trx, actor.workspace.id, id)
    if (!application || application.deleting_at) throw notFound('This application')
    return work(trx, application)
  })

export interface ApplicationQuery extends SearchQuery {
  server_id?: Id<'server'> | undefined
  project_id?: Id<'project'> | undefined
  ids?: Id<'application'>[] | undefined
}

export const listApplicationRows = (
  db: Db,
  workspaceId: Id<'workspace'>,
  query: ApplicationQuery,
  limit?: TokenLimit,
) =>
  readPage<ApplicationRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted from applications where workspace_id = ${workspaceId}
        and deleting_at is null and ${withinLimit(limit, 'applications')} and name ilike ${containsPattern(query.q ?? '')}
        ${query.server_id ? sql`and server_id = ${query.server_id}` : sql``}
        ${query.ids ? sql`and id = any(${query.ids})` : sql``}
        ${query.project_id ? sql`and project_id = ${query.project_id}` : sql``}`,
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const listRevisions = (
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<Pick<ApplicationRow, 'id' | 'revision' | 'release_id'>[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('applications')
        .select(['id', 'revision', 'release_id'])
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', [...new Set(ids)])
        .execute()

/** Finds applications that are being deleted as well, so that their deletion can continue. */
export const findApplication = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  db
    .selectFrom('applications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockApplication = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  db
    .selectFrom('applications')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertApplication = (db: Db, row: Insertable<Tables['applications']>): Promise<ApplicationRow> =>
  db.insertInto('applications').values(row).returningAll().executeTakeFirstOrThrow()

export const changeApplication = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
  changes: Updateable<Tables['applications']>,
) =>
  db
    .updateTable('applications')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

const longest = 200

/** Emits the change event within the transaction. Details are names, never values. */
export async function emitApplicationChange(
  trx: Trx,
  actor: Actor,
  application: Pick<ApplicationRow, 'id' | 'name' | 'workspace_id'>,
  type: EventType & `application.${string}`,
  names: readonly string[] = [],
): Promise<void> {
  await emit(
    trx,
    actor,
    application.workspace_id,
    type,
    applicationTarget(application),
    summarizeNames(names),
  )
}

export function summarizeNames(names: readonly string[]): string | undefined {
  const detail = names.join(', ')
  return (detail.length > longest ? `${detail.slice(0, longest)}…` : detail) || undefined
}

export const findProject = (db: Db, workspaceId: Id<'workspace'>, id: Id<'project'>) =>
  db
    .selectFrom('projects')
    .select(['id', 'name', 'network'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function lockProject(trx: Trx, workspaceId: Id<'workspace'>, id: Id<'project'>): Promise<void> {
  const project = await trx
    .selectFrom('projects')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (!project) throw notFound('This project')
}

export const findNetworkProject = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  withNetwork(db, workspaceId).where('a.id', '=', id).executeTakeFirst()

export async function listNetworkProjects(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
): Promise<Id<'project'>[]> {
  const rows = await withNetwork(db, workspaceId)
    .where('a.server_id', '=', serverId)
    .where('a.deleting_at', 'is', null)
    .distinct()
    .execute()
  return rows.map(({ id }) => id)
}

const withNetwork = (db: Db, workspaceId: Id<'workspace'>) =>
  db
    .selectFrom('applications as a')
    .innerJoin('projects as p', 'p.id', 'a.project_id')
    .select(['p.id', 'p.name'])
    .where('a.workspace_id', '=', workspaceId)
    .where('p.workspace_id', '=', workspaceId)
    .where('p.network', '=', true)

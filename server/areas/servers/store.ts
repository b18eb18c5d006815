import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { serverStatuses } from '../../../contract/servers.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

export type ServerRow = Selectable<Tables['servers']>

export interface ServerQuery extends SearchQuery {
  project_id?: Id<'project'> | undefined
}

const inProject = (id: Id<'project'>) => sql`and exists (
  select from project_servers p
  where p.workspace_id = servers.workspace_id and p.server_id = servers.id and p.project_id = ${id})`

export const listServerRows = (db: Db, workspaceId: Id<'workspace'>, query: ServerQuery) =>
  readPage<ServerRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted, array_position(${[...serverStatuses]}::text[], status)::text as urgency
        from servers where workspace_id = ${workspaceId} and name ilike ${containsPattern(query.q ?? '')}
        ${query.project_id ? inProject(query.project_id) : sql``}`,
      order: ['urgency', 'sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const listServerProjects = (db: Db, workspaceId: Id<'workspace'>, ids: readonly Id<'server'>[]) =>
  db
    .selectFrom('project_servers as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select(['s.server_id', 'p.id', 'p.name'])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.server_id', '=', sql<Id<'server'>>`any(${[...ids]})`)
    .orderBy(sql`lower(p.name)`)
    .orderBy('p.id')
    .execute()

export interface CloudRow extends Selectable<Tables['cloud_servers']> {
  resized_lately: boolean
  token_error: string | null
}

export async function listServerClouds(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'server'>[],
): Promise<CloudRow[]> {
  const { rows } = await sql<CloudRow>`
    select c.*, t.error as token_error, coalesce(c.resized_at > now() - interval '7 days', false) as resized_lately
    from cloud_servers c left join cloud_tokens t on t.workspace_id = c.workspace_id and t.id = c.cloud_token_id
    where c.workspace_id = ${workspaceId} and c.server_id = any(${[...ids]})`.execute(db)
  return rows
}

export const findServerRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
  db
    .selectFrom('servers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockServerRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
  db
    .selectFrom('servers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertServer = (
  db: Db,
  row: Insertable<Tables['servers']> & { workspace_id: Id<'workspace'> },
) => db.insertInto('servers').values(row).returningAll().executeTakeFirstOrThrow()

export const updateServerRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'server'>,
  changes: Omit<Updateable<Tables['servers']>, 'id' | 'workspace_id'>,
) =>
  db
    .updateTable('servers')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Results of a connection do not apply to another address. */
export const updateIfSameVersion = (
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, version }: Pick<ServerRow, 'id' | 'version'>,
  changes: Pick<
    Updateable<Tables['servers']>,
    'offered_host_key' | 'status' | 'reason' | 'host_keys' | 'version'
  >,
) =>
  db
    .updateTable('servers')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()

export const wakeWatcher = (db: Db, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
  sql`select pg_notify('servers', id) from servers where workspace_id = ${workspaceId} and id = ${id}`.execute(
    db,
  )

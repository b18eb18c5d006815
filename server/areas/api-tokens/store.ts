import { type Insertable, type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'

/**
 * API token with the name of its owner and of the projects or applications that it is limited to. Deleted projects and
 * applications are left out.
 */
export interface ApiTokenRow extends Omit<Selectable<Tables['api_tokens']>, 'projects' | 'applications'> {
  user_name: string
  user_email: string
  projects: { id: Id<'project'>; name: string }[] | null
  applications: { id: Id<'application'>; name: string }[] | null
}

const named = (table: 'projects' | 'applications') => sql`
  case when t.${sql.ref(table)} is not null then (
    select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name) order by lower(n.name)), '[]')
    from ${sql.table(table)} n where n.workspace_id = t.workspace_id and n.id = any (t.${sql.ref(table)})) end`

const rowsOf = (workspaceId: Id<'workspace'>) => sql<ApiTokenRow>`
  select t.id, t.workspace_id, t.user_id, t.name, t.role, t.token_hash, t.expires_at, t.last_used_at, t.created_at,
    t.expiry_notified, t.scope, u.name as user_name, u.email as user_email,
    ${named('projects')} as projects, ${named('applications')} as applications
  from api_tokens t join users u on u.id = t.user_id
  where t.workspace_id = ${workspaceId}`

export const insertApiToken = (
  db: Db,
  row: Insertable<Tables['api_tokens']> & { workspace_id: Id<'workspace'> },
) => db.insertInto('api_tokens').values(row).execute()

export async function getApiTokenRow(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'apiToken'>,
): Promise<ApiTokenRow> {
  const { rows } = await sql<ApiTokenRow>`${rowsOf(workspaceId)} and t.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('API token not found')
  return row
}

export const listApiTokenRows = (
  db: Db,
  workspaceId: Id<'workspace'>,
  userId: Id<'user'> | undefined,
  query: PageQuery,
) =>
  readPage<ApiTokenRow>(
    db,
    {
      from: sql`${rowsOf(workspaceId)} ${userId ? sql`and t.user_id = ${userId}` : sql``}`,
      order: ['id'],
      direction: 'desc',
    },
    query,
  )

export const deleteApiTokenRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  userId: Id<'user'> | undefined,
  id: Id<'apiToken'>,
) =>
  db
    .deleteFrom('api_tokens')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 'usr_'))
    .returning(['id', 'name', 'user_id'])
    .executeTakeFirst()

export async function listExistingIds(
  db: Db,
  workspaceId: Id<'workspace'>,
  table: 'projects' | 'applications',
  ids: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where workspace_id = ${workspaceId} and id = any (${ids})`.execute(db)
  return rows.map(({ id }) => id)
}

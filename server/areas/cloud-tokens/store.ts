import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'

export type CloudTokenRow = Selectable<Tables['cloud_tokens']>

export interface CloudTokenQuery extends SearchQuery {
  provider?: string | undefined
}

export const listCloudTokenRows = (db: Db, workspaceId: Id<'workspace'>, query: CloudTokenQuery) =>
  readPage<CloudTokenRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted from cloud_tokens where workspace_id = ${workspaceId}
        and (name ilike ${containsPattern(query.q ?? '')} or account ilike ${containsPattern(query.q ?? '')})
        ${query.provider === undefined ? sql`` : sql`and provider = ${query.provider}`}`,
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export async function countTokenServers(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'cloudToken'>[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('cloud_servers')
    .select(['cloud_token_id as id', sql<number>`count(*)::int`.as('count')])
    .where('workspace_id', '=', workspaceId)
    .where('cloud_token_id', '=', sql<Id<'cloudToken'>>`any(${[...ids]})`)
    .groupBy('cloud_token_id')
    .execute()
  return new Map(rows.map(({ id, count }) => [String(id), count]))
}

export const findCloudTokenRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'cloudToken'>) =>
  db
    .selectFrom('cloud_tokens')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockCloudTokenRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'cloudToken'>) =>
  db
    .selectFrom('cloud_tokens')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const findDefaultToken = (db: Db, workspaceId: Id<'workspace'>, provider: string) =>
  db
    .selectFrom('cloud_tokens')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .orderBy(sql`error is not null`)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()

export const insertCloudToken = (db: Db, row: Insertable<Tables['cloud_tokens']>) =>
  db.insertInto('cloud_tokens').values(row).returningAll().executeTakeFirstOrThrow()

export const updateCloudTokenRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'cloudToken'>,
  changes: Updateable<Tables['cloud_tokens']>,
) =>
  db
    .updateTable('cloud_tokens')
    .set({ ...changes, updated_at: new Date() })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const deleteCloudTokenRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'cloudToken'>) =>
  db.deleteFrom('cloud_tokens').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export const lockTokenServers = (db: Db, workspaceId: Id<'workspace'>, id: Id<'cloudToken'>) =>
  db
    .selectFrom('cloud_servers as c')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .select(['s.id', 's.name', 's.status', 's.public_key', 'c.cloud_id', 'c.cloud_key_id', 'c.asked_at'])
    .select(['c.status as cloud_status', 'c.duplicates'])
    .where('c.workspace_id', '=', workspaceId)
    .where('c.cloud_token_id', '=', id)
    .orderBy(sql`lower(s.name)`)
    .orderBy('s.id')
    .forUpdate('c')
    .execute()

export type TokenServer = Awaited<ReturnType<typeof lockTokenServers>>[number]

/** Key of the jobs that destroy orphaned servers; the token is not deleted before they finish. */
export const orphanJobKey = (workspaceId: Id<'workspace'>, id: Id<'cloudToken'>) =>
  `stray:${workspaceId}:${id}`

export async function hasOrphanJobs(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'cloudToken'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from jobs where key = ${orphanJobKey(workspaceId, id)} and state in ('queued', 'running') limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export const listMatchingServers = (
  db: Db,
  workspaceId: Id<'workspace'>,
  provider: string,
  { ids, serverId, addresses }: { ids: string[]; serverId: string[]; addresses: string[] },
) =>
  db
    .selectFrom('servers as s')
    .leftJoin('cloud_servers as c', (on) =>
      on
        .onRef('c.server_id', '=', 's.id')
        .on('c.workspace_id', '=', workspaceId)
        .on('c.provider', '=', provider),
    )
    .select(['s.id', 's.name', 's.address', 'c.cloud_id'])
    .where('s.workspace_id', '=', workspaceId)
    .where((where) =>
      where.or([
        where('c.cloud_id', '=', sql<string>`any(${ids})`),
        where('s.id', '=', sql<Id<'server'>>`any(${serverId})`),
        where('s.address', '=', sql<string>`any(${addresses})`),
      ]),
    )
    .orderBy('s.created_at')
    .execute()

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'

export type CloudServerRow = Selectable<Tables['cloud_servers']>
export type CloudServerChanges = Omit<Updateable<Tables['cloud_servers']>, 'server_id' | 'workspace_id'>

export const insertCloudServer = (db: Db, row: Insertable<Tables['cloud_servers']>) =>
  db.insertInto('cloud_servers').values(row).returningAll().executeTakeFirstOrThrow()

export const findCloudServer = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .selectFrom('cloud_servers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .executeTakeFirst()

/** Locks the row (`for update`). Lock the server row first. */
export const lockCloudServer = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .selectFrom('cloud_servers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .forUpdate()
    .executeTakeFirst()

export const updateCloudServer = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  changes: CloudServerChanges,
) =>
  db
    .updateTable('cloud_servers')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .returningAll()
    .executeTakeFirst()

/** Records when the creation request ends, by the clock of the database, which all processes share. */
export const markRequested = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>, over: number) =>
  db
    .updateTable('cloud_servers')
    .set({ asked_at: sql`now() + make_interval(secs => ${over / 1_000})` })
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .returningAll()
    .executeTakeFirstOrThrow()

export const markCreated = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .updateTable('cloud_servers')
    .set({ made_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .execute()

/** Milliseconds since the latest end of an unresolved create request; otherwise null. */
export const requestedAgoMs = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  agoMs(db, workspaceId, serverId, 'asked_at')

export const createdAgoMs = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  agoMs(db, workspaceId, serverId, 'made_at')

async function agoMs(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  since: 'asked_at' | 'made_at',
): Promise<number | null> {
  const { rows } = await sql<{ ago: number | null }>`
    select (extract(epoch from now() - ${sql.ref(since)}) * 1000)::double precision as ago from cloud_servers
    where workspace_id = ${workspaceId} and server_id = ${serverId}`.execute(db)
  return rows[0]?.ago ?? null
}

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Db, Tables } from '../../tables.ts'

export type ServerRow = Selectable<Tables['servers']>

export const serverTarget = ({ id, name }: Pick<ServerRow, 'id' | 'name'>) => ({ kind: 'server', id, name })

export async function getServerRow(
  ctx: Context,
  actor: Pick<Actor, 'workspace'>,
  id: Id<'server'>,
): Promise<ServerRow> {
  const row = await findServer(ctx, actor.workspace.id, id)
  if (!row) throw notFound('This server')
  return row
}

type WebPorts = Pick<ServerRow, 'http_port' | 'https_port'>

/** Returns the ports in use; configured ports apply on the next setup. */
export const getWebPorts = (
  server: WebPorts & Pick<ServerRow, 'http_port_used' | 'https_port_used'>,
): WebPorts => ({
  http_port: server.http_port_used ?? server.http_port,
  https_port: server.https_port_used ?? server.https_port,
})

export const findServer = ({ db }: Pick<Context, 'db'>, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
  db
    .selectFrom('servers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockServer = (db: Db, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
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

export const changeServer = (
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

/** Saves the result of a connection, unless the connection settings have changed since. */
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

import { type Insertable, type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'

export type CommandRow = Selectable<Tables['commands']>

/** A follower that has not renewed its lease for this long counts as gone. */
export const leaseSeconds = 10
const leased = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`

export interface CommandQuery extends PageQuery {
  container_id?: string | undefined
  withRoot: boolean
}

export function listCommandRows(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  query: CommandQuery,
) {
  const { container_id: containerId, withRoot } = query
  const inContainer = containerId
    ? sql`and (container_id = ${containerId} or container_name = ${containerId})`
    : sql``
  const from = sql`
    select * from commands where workspace_id = ${workspaceId} and server_id = ${serverId}
      and (${withRoot} or not as_root) ${inContainer}`
  return readPage<CommandRow>(db, { from, order: ['id'], direction: 'desc' }, query)
}

export const findCommandRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  id: Id<'command'>,
) =>
  db
    .selectFrom('commands')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .executeTakeFirst()

export const insertCommand = (
  db: Db,
  row: Omit<Insertable<Tables['commands']>, 'status' | 'followed_until'>,
): Promise<CommandRow> =>
  db
    .insertInto('commands')
    .values({ ...row, status: 'running', followed_until: leased })
    .returningAll()
    .executeTakeFirstOrThrow()

export interface Offsets {
  stdout: number
  stderr: number
}

export async function saveOffsets(
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, follower }: CommandRow,
  from: Offsets,
  to: Offsets,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('commands')
    .set({ stdout_offset: to.stdout, stderr_offset: to.stderr })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('follower', '=', follower)
    .where('stdout_offset', '=', from.stdout)
    .where('stderr_offset', '=', from.stderr)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function markStarted(
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, follower }: CommandRow,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('commands')
    .set({ begun_at: sql`coalesce(begun_at, now())` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('follower', '=', follower)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const findFollowedCommand = (db: Db, workspaceId: Id<'workspace'>, { id, follower }: CommandRow) =>
  db
    .selectFrom('commands')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('follower', '=', follower)
    .executeTakeFirst()

export type CommandResult = Pick<CommandRow, 'status' | 'exit_code' | 'error' | 'truncated'>

export async function endCommand(
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, follower }: CommandRow,
  ending: CommandResult,
): Promise<CommandRow | undefined> {
  const { rows } = await sql<CommandRow>`
    with ended as (
      update commands set
        status = ${ending.status}, exit_code = ${ending.exit_code}, error = ${ending.error},
        truncated = ${ending.truncated}, finished_at = now()
      where workspace_id = ${workspaceId} and id = ${id} and status = 'running' and follower = ${follower}
      returning *
    ), nudged as (
      select pg_notify('outputs', id), pg_notify('events', json_build_object('id', '', 'workspace_id', workspace_id,
        'type', 'command.ended', 'kind', 'server', 'target', server_id)::text)
      from ended
    )
    select ended.* from ended, nudged`.execute(db)
  return rows[0]
}

export async function requestCancel(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'command'>,
): Promise<boolean> {
  const { rows } = await sql`
    with noted as (
      update commands set cancel_requested_at = now()
      where workspace_id = ${workspaceId} and id = ${id} and status = 'running' and cancel_requested_at is null
      returning id
    )
    select pg_notify('commands_cancelled', id) from noted`.execute(db)
  return rows.length > 0
}

import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Role } from '../../../contract/shared/permissions.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'

export function listInstanceEvents(db: Db, query: SearchQuery) {
  const like = containsPattern(query.q ?? '')
  const matching = query.q
    ? sql`where actor_name ilike ${like} or target_name ilike ${like} or type ilike ${like} or detail ilike ${like}`
    : sql``
  return readPage<Selectable<Tables['instance_events']>>(
    db,
    { from: sql`select * from instance_events ${matching}`, order: ['id'], direction: 'desc' },
    query,
  )
}

interface InstanceCounts {
  users: number
  workspaces: number
  servers: number
  applications: number
  workers: number
  failing_mails: number
}

export const readInstanceCounts = async (db: Db): Promise<InstanceCounts> => {
  const { rows } = await sql<InstanceCounts>`
    select (select count(*) from users) as users,
      (select count(*) from workspaces) as workspaces,
      (select count(*) from servers) as servers,
      (select count(*) from applications where deleting_at is null) as applications,
      (select count(*) from workers where alive_until > now()) as workers,
      (select count(*) from jobs where kind = 'send-mail'
        and (state = 'queued' and failures > 0 or state = 'failed' and finished_at > now() - interval '1 day'))
        as failing_mails`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('The counts query returned no row.')
  return facts
}

export interface InstanceUserRow {
  id: Id<'user'>
  name: string
  email: string
  instance_owner: boolean
  locked_at: Date | null
  two_factor_on_at: Date | null
  last_seen_at: Date | null
  sessions: number
  api_tokens: number
  workspaces: { id: Id<'workspace'>; name: string; role: Role }[]
  created_at: Date
}

const people = sql`
  select u.id, u.name, u.email, u.instance_owner, u.locked_at, u.two_factor_on_at, u.created_at,
    (select max(s.last_seen_at) from sessions s where s.user_id = u.id) as last_seen_at,
    (select count(*) from sessions s where s.user_id = u.id and s.expires_at > now()) as sessions,
    (select count(*) from api_tokens t where t.user_id = u.id) as api_tokens,
    coalesce((select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'role', m.role) order by lower(w.name))
      from members m join workspaces w on w.id = m.workspace_id where m.user_id = u.id), '[]') as workspaces
  from users u`

export function listInstanceUserRows(db: Db, query: SearchQuery) {
  const like = containsPattern(query.q ?? '')
  const matching = query.q ? sql`where u.email ilike ${like} or u.name ilike ${like}` : sql``
  return readPage<InstanceUserRow>(
    db,
    { from: sql`${people} ${matching}`, order: ['email', 'id'], direction: 'asc' },
    query,
  )
}

export const findInstanceUser = async (db: Db, id: Id<'user'>) =>
  (await sql<InstanceUserRow>`${people} where u.id = ${id}`.execute(db)).rows[0]

export const lockInstanceOwners = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'locked_at'])
    .where('instance_owner', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()

export const setInstanceOwner = (db: Db, id: Id<'user'>, instance_owner: boolean) =>
  db.updateTable('users').set({ instance_owner }).where('id', '=', id).execute()

export const setUserLocked = (db: Db, id: Id<'user'>, locked_at: Date | null) =>
  db.updateTable('users').set({ locked_at }).where('id', '=', id).execute()

export const deleteUserSessions = (db: Db, id: Id<'user'>) =>
  db.deleteFrom('sessions').where('user_id', '=', id).execute()

/** Lists the workspaces whose only owner is this user, and locks their members. */
export async function listSolelyOwnedWorkspaces(db: Db, id: Id<'user'>): Promise<string[]> {
  const { rows } = await sql<{ id: Id<'workspace'>; name: string }>`
    select w.id, w.name from workspaces w
    where w.id in (select m.workspace_id from members m where m.user_id = ${id} and m.role = 'owner')
    order by w.id for update`.execute(db)
  const alone = await sql<{ workspace_id: string }>`
    select workspace_id from members where role = 'owner' and workspace_id = any (${rows.map((row) => row.id)})
    group by workspace_id having count(*) = 1`.execute(db)
  const ids = new Set(alone.rows.map((row) => row.workspace_id))
  return rows.filter((row) => ids.has(row.id)).map(({ name }) => name)
}

export const deleteUserRow = (db: Db, id: Id<'user'>) => db.deleteFrom('users').where('id', '=', id).execute()

export interface InstanceWorkspaceRow {
  id: Id<'workspace'>
  name: string
  locked_at: Date | null
  owners: { id: Id<'user'>; name: string; email: string }[]
  members: number
  servers: number
  applications: number
  created_at: Date
}

const workspaces = sql`
  select w.id, w.name, lower(w.name) as sorted, w.locked_at, w.created_at,
    coalesce((select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) order by u.email)
      from members m join users u on u.id = m.user_id where m.workspace_id = w.id and m.role = 'owner'), '[]')
      as owners,
    (select count(*) from members m where m.workspace_id = w.id) as members,
    (select count(*) from servers s where s.workspace_id = w.id) as servers,
    (select count(*) from applications a where a.workspace_id = w.id and a.deleting_at is null) as applications
  from workspaces w`

export function listAllWorkspaces(db: Db, query: SearchQuery) {
  const like = containsPattern(query.q ?? '')
  const matching = query.q
    ? sql`where w.name ilike ${like} or exists (select from members m join users u on u.id = m.user_id
        where m.workspace_id = w.id and m.role = 'owner' and u.email ilike ${like})`
    : sql``
  return readPage<InstanceWorkspaceRow>(
    db,
    { from: sql`${workspaces} ${matching}`, order: ['sorted', 'id'], direction: 'asc' },
    query,
  )
}

export const findInstanceWorkspace = async (db: Db, id: Id<'workspace'>) =>
  (await sql<InstanceWorkspaceRow>`${workspaces} where w.id = ${id}`.execute(db)).rows[0]

export const setWorkspaceLocked = (db: Db, id: Id<'workspace'>, locked_at: Date | null) =>
  db.updateTable('workspaces').set({ locked_at }).where('id', '=', id).execute()

/** Finds the server of the machine that Slipway runs on. There is at most one. */
export const findLocalServer = (db: Db) =>
  db
    .selectFrom('servers')
    .innerJoin('workspaces', 'workspaces.id', 'servers.workspace_id')
    .select(['servers.id', 'servers.name', 'servers.status', 'servers.workspace_id'])
    .select('workspaces.name as workspace_name')
    .where('servers.kind', '=', 'local')
    .executeTakeFirst()

export const listOwnedWorkspaces = (db: Db, id: Id<'user'>) =>
  db
    .selectFrom('workspaces')
    .innerJoin('members', 'members.workspace_id', 'workspaces.id')
    .select(['workspaces.id', 'workspaces.name'])
    .where('members.user_id', '=', id)
    .where('members.role', '=', 'owner')
    .orderBy('workspaces.name')
    .execute()

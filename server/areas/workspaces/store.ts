import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Role, ShellAccess } from '../../../contract/shared/permissions.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'
import type { PlanAccessRow } from './plan-access.ts'

export interface MembershipRow extends PlanAccessRow {
  id: Id<'workspace'>
  name: string
  role: Role
  locked_at: Date | null
  shell_access: ShellAccess
  created_at: Date
}

const access = sql`w.trial_ends_at, s.plan_id, s.plan_since, s.stripe_status, s.cancel_at, s.past_due_since`

const mine = (userId: Id<'user'>) => sql<MembershipRow>`
  select w.id, w.name, m.role, w.shell_access, w.locked_at, w.created_at, lower(w.name) as sorted, ${access}
  from members m join workspaces w on w.id = m.workspace_id
  left join subscriptions s on s.workspace_id = w.id where m.user_id = ${userId}`

export const listPlanAccessRows = async (db: Db) =>
  (
    await sql<PlanAccessRow & { id: Id<'workspace'>; begun_at: Date }>`
      select w.id, ${access}, greatest(w.created_at,
        (select value::timestamptz from instance where name = 'billing_since')) as begun_at
      from workspaces w left join subscriptions s on s.workspace_id = w.id order by w.id`.execute(db)
  ).rows

export const findPlanAccessRow = async (db: Db, workspaceId: Id<'workspace'>) =>
  (
    await sql<PlanAccessRow>`
      select ${access} from workspaces w left join subscriptions s on s.workspace_id = w.id
      where w.id = ${workspaceId}`.execute(db)
  ).rows[0]

export const listMemberships = (
  db: Db,
  userId: Id<'user'>,
  only: Id<'workspace'> | undefined,
  query: PageQuery,
) =>
  readPage<MembershipRow>(
    db,
    {
      from: only ? sql`${mine(userId)} and w.id = ${only}` : mine(userId),
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const findMembership = async (db: Db, userId: Id<'user'>, workspaceId: Id<'workspace'>) =>
  (await sql<MembershipRow>`${mine(userId)} and w.id = ${workspaceId}`.execute(db)).rows[0]

export const insertWorkspace = (db: Db, row: Insertable<Tables['workspaces']>) =>
  db.insertInto('workspaces').values(row).execute()

export const updateWorkspaceRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  changes: Updateable<Tables['workspaces']>,
) => db.updateTable('workspaces').set(changes).where('id', '=', workspaceId).execute()

/** Locks the workspace, which is required before its members change. */
export const lockWorkspace = (db: Db, workspaceId: Id<'workspace'>) =>
  db.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).forUpdate().executeTakeFirst()

export const countServers = async (db: Db, workspaceId: Id<'workspace'>): Promise<number> => {
  const { servers } = await db
    .selectFrom('servers')
    .select((e) => e.fn.countAll<number>().as('servers'))
    .where('workspace_id', '=', workspaceId)
    .where('status', '<>', 'deleting')
    .executeTakeFirstOrThrow()
  return servers
}

/** Counts members and pending invites, which can be accepted at any time. */
export const countMembers = async (db: Db, workspaceId: Id<'workspace'>): Promise<number> => {
  const { rows } = await sql<{ people: number }>`
    select (select count(*) from members where workspace_id = ${workspaceId}) +
      (select count(*) from invites where workspace_id = ${workspaceId} and expires_at > now()) as people`.execute(
    db,
  )
  return rows[0]?.people ?? 0
}

export const findInvitedRole = async (db: Db, workspaceId: Id<'workspace'>, email: string) =>
  (
    await sql<{ role: Role }>`select role from invites
      where workspace_id = ${workspaceId} and email = ${email} and expires_at > now()`.execute(db)
  ).rows[0]?.role

export const deleteWorkspaceRow = (db: Db, workspaceId: Id<'workspace'>) =>
  db.deleteFrom('workspaces').where('id', '=', workspaceId).execute()

/** Lists applications, including those that are being deleted, because their containers still exist. */
export async function listWorkspaceApplicationNames(db: Db, workspaceId: Id<'workspace'>): Promise<string[]> {
  const rows = await db
    .selectFrom('applications')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .orderBy(sql`lower(name)`)
    .execute()
  return rows.map(({ name }) => name)
}

/** Deletes only rows. The containers keep running. */
export const deleteApplicationRows = (db: Db, workspaceId: Id<'workspace'>) =>
  db.deleteFrom('applications').where('workspace_id', '=', workspaceId).execute()

export const hasLocalServer = async (db: Db, workspaceId: Id<'workspace'>): Promise<boolean> =>
  (await sql`select from servers where workspace_id = ${workspaceId} and kind = 'local'`.execute(db)).rows
    .length > 0

/** Lists servers that are being created or destroyed at a cloud provider, or whose creation did not complete. */
export async function listPendingServers(db: Db, workspaceId: Id<'workspace'>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select s.name from servers s
    left join cloud_servers c on c.workspace_id = s.workspace_id and c.server_id = s.id
    where s.workspace_id = ${workspaceId} and (s.status in ('provisioning', 'deleting')
      or c.origin = 'created' and c.step is not null and c.status <> 'deleted'
        and (c.cloud_id is not null or c.asked_at is not null))
    order by lower(s.name)`.execute(db)
  return rows.map(({ name }) => name)
}

export const insertMember = (db: Db, row: Insertable<Tables['members']>) =>
  db
    .insertInto('members')
    .values(row)
    .onConflict((on) => on.columns(['workspace_id', 'user_id']).doNothing())
    .returning('id')
    .executeTakeFirst()

export interface MemberRow {
  id: Id<'member'>
  user_id: Id<'user'>
  name: string
  email: string
  role: Role
  two_factor_on_at: Date | null
  created_at: Date
}

const members = (workspaceId: Id<'workspace'>) => sql<MemberRow>`
  select m.id, m.user_id, u.name, u.email, m.role, u.two_factor_on_at, m.created_at
  from members m join users u on u.id = m.user_id where m.workspace_id = ${workspaceId}`

export const listMemberRows = (db: Db, workspaceId: Id<'workspace'>, query: PageQuery) =>
  readPage<MemberRow>(db, { from: members(workspaceId), order: ['id'], direction: 'asc' }, query)

export const findMember = async (db: Db, workspaceId: Id<'workspace'>, id: Id<'member'>) =>
  (await sql<MemberRow>`${members(workspaceId)} and m.id = ${id}`.execute(db)).rows[0]

export const isMember = async (db: Db, workspaceId: Id<'workspace'>, email: string) =>
  (await sql`${members(workspaceId)} and u.email = ${email}`.execute(db)).rows.length > 0

export const countOwners = (db: Db, workspaceId: Id<'workspace'>) =>
  db
    .selectFrom('members')
    .select((e) => e.fn.countAll<number>().as('owners'))
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()

export const setRole = (db: Db, workspaceId: Id<'workspace'>, id: Id<'member'>, role: Role) =>
  db
    .updateTable('members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

export const deleteMember = (db: Db, workspaceId: Id<'workspace'>, id: Id<'member'>) =>
  db.deleteFrom('members').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export const upsertInvite = (db: Db, row: Insertable<Tables['invites']>) =>
  db
    .insertInto('invites')
    .values(row)
    .onConflict((on) => on.columns(['workspace_id', 'email']).doUpdateSet({ ...row, created_at: sql`now()` }))
    .returningAll()
    .executeTakeFirstOrThrow()

export const listInviteRows = (db: Db, workspaceId: Id<'workspace'>, query: PageQuery) =>
  readPage<Selectable<Tables['invites']>>(
    db,
    {
      from: sql`select * from invites where workspace_id = ${workspaceId} and expires_at > now()`,
      order: ['id'],
      direction: 'desc',
    },
    query,
  )

export const deleteInvite = (db: Db, workspaceId: Id<'workspace'>, id: Id<'invite'>) =>
  db
    .deleteFrom('invites')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['id', 'email', 'role'])
    .executeTakeFirst()

/** Deletes and returns the invite, so that it can be used only once. The token identifies the workspace. */
export const consumeInvite = (db: Db, tokenHash: string, email: string) =>
  db
    .deleteFrom('invites')
    .where((e) => e.or([e('token_hash', '=', tokenHash), e('mailed_token_hash', '=', tokenHash)]))
    .where('email', '=', email)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst()

/** Finds an invite, even if it has expired. The token identifies the workspace. */
export const findInvite = (db: Db, tokenHash: string) =>
  db
    .selectFrom('invites')
    .innerJoin('workspaces', 'workspaces.id', 'invites.workspace_id')
    .select(['workspaces.name as workspace', 'invited_by', 'email', 'expires_at', 'mailed_token_hash'])
    .where((e) => e.or([e('token_hash', '=', tokenHash), e('mailed_token_hash', '=', tokenHash)]))
    .executeTakeFirst()

export const countInvites = async (db: Db, workspaceId: Id<'workspace'>) => {
  const { made: created } = await db
    .selectFrom('events')
    .select((e) => e.fn.countAll<number>().as('made'))
    .where('workspace_id', '=', workspaceId)
    .where('type', '=', 'member.invited')
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return created
}

export const findLockedWorkspace = (db: Db, workspaceId: Id<'workspace'>) =>
  db
    .selectFrom('workspaces')
    .select('locked_at')
    .where('id', '=', workspaceId)
    .where('locked_at', 'is not', null)
    .executeTakeFirst()

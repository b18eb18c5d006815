import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import { isRoleAtLeast, type Role, roleAllows } from '../../../contract/shared/permissions.ts'
import type { member } from '../../../contract/workspaces.ts'
import type { Context } from '../../context.ts'
import { conflict, forbidden, notFound, sessionNeeded } from '../../errors.ts'
import { workspaceLocked } from './plan-access.ts'
import { emit } from '../../events.ts'
import type { PageQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import { type Actor, hasPermission } from '../../route.ts'
import type { Db, Trx } from '../../tables.ts'
import { recordAccountEvent } from '../auth/account-events.ts'
import { assertWorkspaceLimit } from './operator-limits.ts'
import {
  countOwners,
  deleteMember,
  findMember,
  findMembership,
  listMemberRows,
  lockWorkspace,
  type MemberRow,
  setRole,
} from './store.ts'
import { sql } from 'kysely'

const presentMember = (row: MemberRow): z.input<typeof member> => ({
  id: row.id,
  user_id: row.user_id,
  name: row.name,
  email: row.email,
  role: row.role,
  two_factor: row.two_factor_on_at !== null,
  joined_at: row.created_at.toISOString(),
})

export async function listMembers(ctx: Context, actor: Actor, query: PageQuery) {
  const { rows, page } = await listMemberRows(ctx.db, actor.workspace.id, query)
  const manages = hasPermission(actor, 'members.manage')
  return {
    members: rows.map((row) => ({ ...presentMember(row), ...(manages ? {} : { two_factor: null }) })),
    page,
  }
}

export async function changeRole(ctx: Context, actor: Actor, id: Id<'member'>, role: Role) {
  return transaction(ctx.db, async (trx) => {
    const { found, mine, workspace } = await lockMembers(trx, actor, id)
    if (!roleAllows(mine, 'members.manage')) throw forbidden('Only admins and owners can change roles.')
    if ((found.role === 'owner' || role === 'owner') && mine !== 'owner')
      throw forbidden('Only owners can add owners or change their role.')
    if (found.role === 'owner' && role !== 'owner') await assertOwnerRemains(trx, actor, found)
    if (role === 'owner' && found.role !== 'owner')
      await assertWorkspaceLimit(ctx, trx, found.user_id, found.name)
    await setRole(trx, actor.workspace.id, id, role)
    const target = { kind: 'member', id, name: found.name }
    await emit(trx, actor, actor.workspace.id, 'member.role_changed', target, `to ${role}`)
    await recordAccountEvent(ctx, trx, {
      user: found.user_id,
      type: 'role.changed',
      by: found.user_id === actor.user.id ? actor : 'member',
      detail: `from ${found.role} to ${role} in ${workspace} by ${actor.user.name}`,
    })
    return presentMember({ ...found, role })
  })
}

export async function removeMember(ctx: Context, actor: Actor, id: Id<'member'>): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const { found, mine } = await lockMembers(trx, actor, id)
    const self = found.user_id === actor.user.id
    // A token may have a lower role than its owner, so it must not remove them.
    if (self && actor.via.kind !== 'session') throw sessionNeeded()
    // In a locked workspace, members can only leave.
    if (!self && actor.workspace.locked) throw workspaceLocked()
    if (!self && !roleAllows(mine, 'members.manage'))
      throw forbidden('Only admins and owners can remove members.')
    if (!self && found.role === 'owner' && mine !== 'owner') throw forbidden('Only owners can remove owners.')
    if (found.role === 'owner') await assertOwnerRemains(trx, actor, found)
    await deleteMember(trx, actor.workspace.id, id)
    if (self) return emit(trx, actor, actor.workspace.id, 'member.left')
    return emit(trx, actor, actor.workspace.id, 'member.removed', { kind: 'member', id, name: found.name })
  })
}

/** Locks the workspace and reads both members, so that a member who was removed or demoted meanwhile cannot act. */
async function lockMembers(
  db: Db,
  actor: Actor,
  id: Id<'member'>,
): Promise<{ found: MemberRow; mine: Role; workspace: string }> {
  const workspace = await lockWorkspace(db, actor.workspace.id)
  const own = await findMembership(db, actor.user.id, actor.workspace.id)
  const found = await findMember(db, actor.workspace.id, id)
  if (!own || !found || !workspace) throw notFound('This member')
  const mine = isRoleAtLeast(own.role, actor.workspace.role) ? actor.workspace.role : own.role
  return { found, mine, workspace: workspace.name }
}

/** Throws unless another owner remains: the last owner of a workspace cannot leave, be removed or lose the role. */
async function assertOwnerRemains(trx: Trx, actor: Actor, { user_id, name }: MemberRow) {
  const { owners } = await countOwners(trx, actor.workspace.id)
  if (owners < 2)
    throw conflict('last_owner', 'A workspace needs an owner. Make another member an owner first.')
  await assertOperatorRemains(trx, actor.workspace.id, { id: user_id, name })
}

/** Throws unless an unlocked instance owner remains among the owners of the workspace that uses This machine. */
export async function assertOperatorRemains(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  user: { id: Id<'user'>; name: string },
): Promise<void> {
  const workspace = await lockWorkspace(trx, workspaceId)
  const { rows } = await sql<{ id: Id<'user'>; locked: boolean }>`
    select u.id, u.locked_at is not null as locked from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and m.role = 'owner' and u.instance_owner
      and exists (select from servers s where s.workspace_id = m.workspace_id and s.kind = 'local')`.execute(
    trx,
  )
  const isOne = rows.some(({ id }) => id === user.id)
  if (workspace && isOne && !rows.some(({ id, locked }) => id !== user.id && !locked))
    throw conflict(
      'last_operator',
      `The workspace ${workspace.name} uses This machine as a server, and ${user.name} is its only owner who is an instance owner. Make another instance owner an owner of the workspace, or turn off This machine first.`,
    )
}

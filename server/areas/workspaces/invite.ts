import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import { isRoleAtLeast, type Role } from '../../../contract/shared/permissions.ts'
import type { invite } from '../../../contract/workspaces.ts'
import type { Context } from '../../context.ts'
import {
  conflict,
  forbidden,
  inviteExpired,
  inviteInvalid,
  inviteUnknown,
  notFound,
  tooManyRequests,
} from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { PageQuery } from '../../platform/pagination.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor, User } from '../../route.ts'
import type { Tables, Trx } from '../../tables.ts'
import { inviteMail, sendMail } from '../auth/mails.ts'
import { countInvite, assertWorkspaceLimit } from './operator-limits.ts'
import { assertWorkspaceNotLocked } from './plan-access.ts'
import { assertPlanLimit, findPlanLimitProblem } from './plan-limits.ts'
import { cannotJoin } from './workspace-errors.ts'
import {
  countInvites,
  deleteInvite,
  findInvite,
  findInvitedRole,
  insertMember,
  isMember,
  listInviteRows,
  lockWorkspace,
  consumeInvite,
  upsertInvite,
} from './store.ts'
import { getWorkspace, setSessionWorkspace } from './workspace.ts'

/** Days until an invite expires. Inviting the address again restarts them. */
const expiryDays = 7
/** Limits invites, because their emails are sent in the name of the operator. */
const maxInvitesPerHour = 100
const inviteSealContext = (workspaceId: string, email: string) =>
  `invites.token_sealed:${workspaceId}:${email}`

type InviteRow = Selectable<Tables['invites']>

const presentInvite = (ctx: Context, actor: Actor, row: InviteRow): z.input<typeof invite> => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invited_by: row.invited_by,
  // Owner invites are hidden from admins, because the link would make them owners.
  url: isRoleAtLeast(actor.workspace.role, row.role)
    ? inviteUrl(ctx, ctx.secrets.open(inviteSealContext(row.workspace_id, row.email), row.token_sealed))
    : null,
  expires_at: row.expires_at.toISOString(),
  created_at: row.created_at.toISOString(),
})

const inviteUrl = (ctx: Context, token: string) => `${ctx.config.PUBLIC_URL}/join-workspace?token=${token}`

export async function inviteMember(ctx: Context, actor: Actor, given: { email: string; role: Role }) {
  const { email, role } = given
  const { id: workspaceId } = actor.workspace
  assertOwnerForOwnerInvite(actor, role)
  const [token, mailed] = [newToken('inv'), newToken('inv')]
  const { name } = await getWorkspace(ctx, actor.user.id, workspaceId)
  return transaction(ctx.db, async (trx) => {
    await lockWorkspace(trx, workspaceId)
    if ((await countInvites(trx, workspaceId)) >= maxInvitesPerHour) throw tooManyRequests(3_600)
    if (await isMember(trx, workspaceId, email))
      throw conflict('already_member', `The address ${email} already belongs to a member.`)
    const invited = await findInvitedRole(trx, workspaceId, email)
    if (!invited) await assertPlanLimit(ctx, trx, workspaceId, 'members')
    else assertOwnerForOwnerInvite(actor, invited)
    await countInvite(ctx, trx, actor.user.id)
    const row = await upsertInvite(trx, {
      id: newId('invite'),
      workspace_id: workspaceId,
      email,
      role,
      token_hash: hashToken(token),
      mailed_token_hash: hashToken(mailed),
      token_sealed: ctx.secrets.seal(inviteSealContext(workspaceId, email), token),
      invited_by: actor.user.name,
      expires_at: new Date(Date.now() + expiryDays * 86_400_000),
    })
    const target = { kind: 'invite', id: row.id, name: email }
    await emit(trx, actor, workspaceId, 'member.invited', target, `as ${role}`)
    await sendMail(ctx, trx, inviteMail(email, actor.user.name, name, inviteUrl(ctx, mailed)))
    return presentInvite(ctx, actor, row)
  })
}

function assertOwnerForOwnerInvite({ workspace }: Actor, role: Role): void {
  if (role === 'owner' && workspace.role !== 'owner')
    throw forbidden('Only owners can create, replace or revoke invites with the owner role.')
}

export async function listInvites(ctx: Context, actor: Actor, query: PageQuery) {
  const { rows, page } = await listInviteRows(ctx.db, actor.workspace.id, query)
  return { invites: rows.map((row) => presentInvite(ctx, actor, row)), page }
}

export async function revokeInvite(ctx: Context, actor: Actor, id: Id<'invite'>): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const deleted = await deleteInvite(trx, actor.workspace.id, id)
    if (!deleted) throw notFound('This invite')
    assertOwnerForOwnerInvite(actor, deleted.role)
    await emit(trx, actor, actor.workspace.id, 'invite.revoked', {
      kind: 'invite',
      id,
      name: deleted.email,
    })
  })
}

/** Returns the invite of a token. The token is the only proof, so nothing else about the workspace is returned. */
export async function readInvite(ctx: Context, token: string) {
  const row = await findInvite(ctx.db, hashToken(token))
  if (!row) throw inviteUnknown()
  if (isExpired(row)) throw inviteExpired()
  const { workspace, invited_by, email } = row
  return { workspace, invited_by, email }
}

export const isExpired = ({ expires_at: expires }: { expires_at: Date }) => expires.getTime() <= Date.now()

/** Accepts an invite, which must be for the address of the current user. */
export async function acceptInvite(ctx: Context, person: User, token: string) {
  const workspaceId = await transaction(ctx.db, async (trx) => {
    const joined = await redeemInvite(ctx, trx, person, token)
    await setSessionWorkspace(trx, person, joined)
    return joined
  })
  return getWorkspace(ctx, person.user.id, workspaceId)
}

export async function redeemInvite(
  ctx: Context,
  trx: Trx,
  who: { user: User['user']; address: string },
  token: string,
) {
  const taken = await consumeInvite(trx, hashToken(token), who.user.email)
  if (!taken) throw inviteInvalid()
  const { workspace_id: workspaceId, role } = taken
  await assertWorkspaceNotLocked(trx, workspaceId)
  const isNew = !(await isMember(trx, workspaceId, who.user.email))
  const problem = isNew ? await findPlanLimitProblem(ctx, trx, workspaceId, 'members') : undefined
  if (problem) throw cannotJoin(problem)
  if (isNew && role === 'owner') await assertWorkspaceLimit(ctx, trx, who.user.id)
  const id = newId('member')
  const created = await insertMember(trx, { id, workspace_id: workspaceId, user_id: who.user.id, role })
  if (created) await emit(trx, who, workspaceId, 'member.joined', undefined, `as ${role}`)
  return workspaceId
}

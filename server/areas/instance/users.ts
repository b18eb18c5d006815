import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { instanceUser } from '../../../contract/instance.ts'
import type { InstanceEventType } from '../../../contract/shared/events.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, notFound } from '../../errors.ts'
import { formatNames } from '../../../contract/shared/format-list.ts'
import { type InstanceInitiator, recordInstanceEvent } from '../../events.ts'
import type { SearchQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { recordAccountEvent } from '../auth/account-events.ts'
import { revokeApiTokens } from '../auth/revoke-tokens.ts'
import { assertOperatorRemains } from '../workspaces/member.ts'
import {
  deleteUserSessions,
  deleteUserRow,
  findLocalServer,
  findInstanceUser,
  listSolelyOwnedWorkspaces,
  listInstanceUserRows,
  lockInstanceOwners,
  type InstanceUserRow,
  setInstanceOwner,
  setUserLocked,
} from './store.ts'

const present = (row: InstanceUserRow): z.input<typeof instanceUser> => ({
  id: row.id,
  name: row.name,
  email: row.email,
  instance_owner: row.instance_owner,
  locked_at: row.locked_at?.toISOString() ?? null,
  two_factor: row.two_factor_on_at !== null,
  last_seen_at: row.last_seen_at?.toISOString() ?? null,
  sessions: row.sessions,
  api_tokens: row.api_tokens,
  workspaces: row.workspaces,
  created_at: row.created_at.toISOString(),
})

export async function listUsers(ctx: Context, query: SearchQuery) {
  const { rows, page } = await listInstanceUserRows(ctx.db, query)
  return { users: rows.map(present), page }
}

export async function getInstanceUser(ctx: Context, id: Id<'user'>) {
  const row = await findInstanceUser(ctx.db, id)
  if (!row) throw notFound('This user')
  return present(row)
}

interface UserChange {
  instance_owner?: boolean | undefined
  locked?: boolean | undefined
}

export async function updateUser(ctx: Context, person: User, id: Id<'user'>, change: UserChange) {
  if (id === person.user.id && (change.instance_owner === false || change.locked === true)) throw ownAccount()
  await changeUser(ctx, person, id, async (trx, user) => {
    if (change.instance_owner !== undefined) await grant(trx, person, user, change.instance_owner)
    if (change.locked !== undefined) await lock(trx, person, user, change.locked)
  })
}

export const changeInstanceOwner = (ctx: Context, id: Id<'user'>, isOwner: boolean) =>
  changeUser(ctx, 'admin command', id, (trx, user) => grant(trx, 'admin command', user, isOwner))

export const endAccess = (ctx: Context, person: User, id: Id<'user'>) =>
  changeUser(ctx, person, id, async (trx, user) => {
    await deleteUserSessions(trx, id)
    await revokeApiTokens(ctx, trx, id, 'operator', 'at the request of the operator of this instance')
    await record(trx, person, 'user.access_ended', user)
    await recordAccountEvent(ctx, trx, {
      user: id,
      type: 'session.ended',
      by: 'operator',
      detail: 'all sessions',
    })
  })

/** Deletes an account. Its sessions, API tokens and memberships are deleted with the row. */
export async function deleteUser(ctx: Context, person: User, id: Id<'user'>, email: string): Promise<void> {
  if (id === person.user.id) throw ownAccount()
  await changeUser(ctx, person, id, async (trx, user) => {
    if (user.email !== email.trim().toLowerCase())
      throw new Invalid({ email: [`Type the email address, ${user.email}, to delete the account.`] })
    await mustNotBeLast(trx, user)
    const alone = await listSolelyOwnedWorkspaces(trx, id)
    if (alone.length > 0) throw lastOwner(user, alone)
    await deleteUserRow(trx, id)
    await record(trx, person, 'user.deleted', user, user.email)
  })
}

async function changeUser(
  ctx: Context,
  initiator: InstanceInitiator,
  id: Id<'user'>,
  work: (trx: Trx, user: InstanceUserRow) => Promise<void>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const owners = await lockInstanceOwners(trx)
    if (isPerson(initiator) && !owners.some((owner) => owner.id === initiator.user.id)) throw notAnOwner()
    const user = await findInstanceUser(trx, id)
    if (!user) throw notFound('This user')
    await work(trx, user)
  })
}

const isPerson = (initiator: InstanceInitiator): initiator is User =>
  typeof initiator === 'object' && 'isInstanceOwner' in initiator

async function grant(trx: Trx, initiator: InstanceInitiator, user: InstanceUserRow, isOwner: boolean) {
  if (user.instance_owner === isOwner) return
  if (!isOwner) await mustNotBeLast(trx, user)
  if (isOwner && user.locked_at)
    throw conflict('user_locked', `The account of ${user.name} is locked. Unlock it first.`)
  await setInstanceOwner(trx, user.id, isOwner)
  await record(trx, initiator, isOwner ? 'instance_owner.granted' : 'instance_owner.revoked', user)
}

async function lock(trx: Trx, initiator: InstanceInitiator, user: InstanceUserRow, locked: boolean) {
  if ((user.locked_at !== null) === locked) return
  if (locked) await mustNotBeLast(trx, user)
  await setUserLocked(trx, user.id, locked ? new Date() : null)
  // Unlocking must not revive old sessions.
  if (locked) await deleteUserSessions(trx, user.id)
  await record(trx, initiator, locked ? 'user.locked' : 'user.unlocked', user)
}

/** Throws unless an instance owner who can log in remains, and one who owns the workspace of This machine. */
async function mustNotBeLast(trx: Trx, user: InstanceUserRow): Promise<void> {
  if (!user.instance_owner) return
  const machine = await findLocalServer(trx)
  if (machine) await assertOperatorRemains(trx, machine.workspace_id, user)
  const owners = await lockInstanceOwners(trx)
  if (!owners.some(({ id, locked_at }) => id !== user.id && locked_at === null))
    throw conflict(
      'last_instance_owner',
      `${user.name} is the only instance owner who can log in. Make another user an instance owner first.`,
    )
}

const record = (
  trx: Trx,
  initiator: InstanceInitiator,
  type: InstanceEventType,
  { id, name }: InstanceUserRow,
  detail?: string,
) => recordInstanceEvent(trx, initiator, type, { kind: 'user', id, name }, detail)

const ownAccount = () =>
  conflict(
    'own_account',
    'You cannot lock or delete your own account, or give up your own instance ownership. Ask another instance owner to do it.',
  )

const notAnOwner = () => conflict('not_an_owner', 'You are no longer an instance owner. Reload the page.')

const lastOwner = ({ name }: InstanceUserRow, workspaces: string[]) =>
  conflict(
    'last_owner',
    `${name} is the only owner of the workspace${workspaces.length === 1 ? '' : 's'} ${formatNames(workspaces)}. Make another member an owner${workspaces.length === 1 ? '' : ' of each'}, or delete the workspace${workspaces.length === 1 ? '' : 's'} first.`,
  )

import type { Db } from '../../tables.ts'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { session } from '../../../contract/user.ts'
import { describeDevice } from '../../../contract/shared/user-agent.ts'
import type { Context } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Anonymous, User } from '../../route.ts'
import { recordAccountEvent } from './account-events.ts'
import {
  consumeTicketRow,
  deleteSession,
  findUser,
  firstMembership,
  insertSession,
  insertTicket,
  listSessionRows,
} from './store.ts'

export { setCurrentWorkspace } from './store.ts'

/** Session expiry: days without use, and days in total. */
export const sessionDays = 30
export const sessionMaxDays = 90

export async function startSession(
  db: Db,
  userId: Id<'user'>,
  from: Pick<Anonymous, 'address' | 'agent'>,
  workspaceId?: Id<'workspace'>,
): Promise<string> {
  await assertNotLocked(db, userId)
  const token = newToken('slp')
  await insertSession(db, {
    id: newId('session'),
    user_id: userId,
    workspace_id: workspaceId ?? (await firstMembership(db, userId))?.workspace_id ?? null,
    token_hash: hashToken(token),
    address: from.address,
    agent: from.agent,
    expires_at: new Date(Date.now() + sessionDays * 86_400_000),
  })
  return token
}

async function assertNotLocked(db: Db, userId: Id<'user'>): Promise<void> {
  if ((await findUser(db, userId))?.locked_at) throw accountLocked()
}

export const accountLocked = () =>
  new Problem(403, 'account_locked', 'This account is locked. Ask an instance owner to unlock it.')

export async function listSessions(ctx: Context, userId: Id<'user'>, current: string) {
  const rows = await listSessionRows(ctx.db, userId)
  const sessions = rows.map((row): z.input<typeof session> => ({
    id: row.id,
    current: row.id === current,
    address: row.address,
    agent: row.agent,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }))
  return { sessions, page: { next: null, total: sessions.length } }
}

export async function endSession(ctx: Context, person: User, id: Id<'session'>): Promise<void> {
  const user = person.user.id
  await transaction(ctx.db, async (trx) => {
    const ended = await deleteSession(trx, user, id)
    if (!ended) throw notFound('This session')
    await recordAccountEvent(
      ctx,
      trx,
      id === person.via.id
        ? { user, type: 'account.logout', by: person }
        : {
            user,
            type: 'session.ended',
            by: person,
            detail: `of ${describeDevice(ended.agent)} at ${ended.address}`,
          },
    )
  })
}

const lifeSeconds = 30

/** Creates a ticket, which replaces a token for one use within 30 seconds. */
export async function createTicket(ctx: Context, person: User, path: string | undefined) {
  const ticket = newToken('tkt')
  const expires = new Date(Date.now() + lifeSeconds * 1000)
  await insertTicket(ctx.db, {
    ticket_hash: hashToken(ticket),
    token_hash: person.tokenHash,
    expires_at: expires,
    path: path ?? null,
  })
  return { ticket, expires_at: expires.toISOString() }
}

export const consumeTicket = async (ctx: Context, ticket: string, path: string) =>
  (await consumeTicketRow(ctx.db, hashToken(ticket), path))?.token_hash

import type { Db } from '../../tables.ts'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { session } from '../../../contract/user.ts'
import { describeDevice } from '../../../contract/shared/user-agent.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { accountLocked } from './locked-errors.ts'
import { newId } from '../../platform/ids.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User, Anonymous } from '../../route.ts'
import { recordAccountEvent } from './account-events.ts'
import { deleteSession, findUser, firstMembership, insertSession, listSessionRows } from './store.ts'

export { setCurrentWorkspace } from './store.ts'

/** Idle lifetime of a session. */
export const sessionDays = 30
/** Maximum lifetime of a session. */
export const sessionMaxDays = 90

/** Starts a session and returns its token, which is stored only as a hash. */
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

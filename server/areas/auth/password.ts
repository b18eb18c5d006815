import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { linkInvalid, Problem } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User, Anonymous } from '../../route.ts'
import { recordAccountEvent } from './account-events.ts'
import { countMail, resetMail, sendMail } from './mails.ts'
import { revokeApiTokens } from './revoke-tokens.ts'
import type { Db } from '../../tables.ts'
import {
  deleteTokens,
  deleteSessions,
  findRecentSession,
  findUser,
  findUserByEmail,
  insertToken,
  consumeLink,
  updateUserRow,
} from './store.ts'
import { confirmPassword } from './two-factor.ts'
import { hashNewPassword } from './user.ts'

export async function changePassword(
  ctx: Context,
  person: User,
  current: string | undefined,
  password: string,
  revokeTokens: boolean,
) {
  const user = await findUser(ctx.db, person.user.id)
  if (user?.password_hash) await confirmPassword(ctx, person, current ?? '', 'current_password')
  else await assertRecentLogin(ctx, person)
  const password_hash = await hashNewPassword(ctx, password)
  await transaction(ctx.db, async (trx) => {
    await updateUserRow(trx, person.user.id, { password_hash })
    await deleteTokens(trx, person.user.id, 'reset')
    await deleteSessions(trx, person.user.id, person.via.kind === 'session' ? person.via.id : undefined)
    await deleteTokens(trx, person.user.id, 'github')
    if (revokeTokens) await revokeApiTokens(ctx, trx, person.user.id, person, 'after a password change')
    await recordAccountEvent(ctx, trx, { user: person.user.id, type: 'password.changed', by: person })
  })
}

/** Requires a recent login, because nothing else confirms the identity of a user without a password. */
async function assertRecentLogin({ db }: Context, { user, via }: User): Promise<void> {
  if (via.kind === 'session' && (await findRecentSession(db, user.id, via.id))) return
  throw new Problem(
    403,
    'recent_log_in_needed',
    'You logged in more than 10 minutes ago. Log out, log in with GitHub again, then set the password.',
  )
}

/**
 * Emails a password reset link if the account exists and email is configured. The response reveals neither, to prevent
 * account enumeration.
 */
export async function requestPasswordReset(ctx: Context, email: string): Promise<void> {
  const user = await findUserByEmail(ctx.db, email)
  if (!user || !ctx.mail) return
  await transaction(ctx.db, async (trx) => {
    if (await countMail(ctx, trx, user.id, 'reset'))
      await sendMail(ctx, trx, resetMail(user, await createResetLink(ctx, trx, user.id, { mailed: true })))
  })
}

/**
 * Creates a password reset link. Earlier links stay valid, so that others cannot invalidate them by requesting a new
 * one.
 */
export async function createResetLink(
  ctx: Context,
  db: Db,
  userId: Id<'user'>,
  { mailed } = { mailed: false },
): Promise<string> {
  const token = newToken('rst')
  await insertToken(db, {
    token_hash: hashToken(token),
    user_id: userId,
    purpose: 'reset',
    expires_at: new Date(Date.now() + 3_600_000),
    mailed,
  })
  return `${ctx.config.PUBLIC_URL}/forgot-password?token=${token}`
}

/** Sets a new password with a link. An emailed link also confirms the address. */
export async function resetPassword(
  ctx: Context,
  token: string,
  password: string,
  from: Anonymous,
): Promise<void> {
  const password_hash = await hashNewPassword(ctx, password)
  await transaction(ctx.db, async (trx) => {
    const link = await consumeLink(trx, hashToken(token), 'reset')
    if (!link) throw linkInvalid()
    await updateUserRow(trx, link.user_id, {
      password_hash,
      ...(link.mailed ? { email_verified_at: ctx.now() } : {}),
    })
    // If the password was compromised, API tokens may be as well.
    await deleteSessions(trx, link.user_id)
    await revokeApiTokens(ctx, trx, link.user_id, from, 'after a password reset')
    await deleteTokens(trx, link.user_id, 'github')
    if (link.mailed) await deleteTokens(trx, link.user_id, 'verify')
    await recordAccountEvent(ctx, trx, { user: link.user_id, type: 'password.reset', by: from })
  })
}

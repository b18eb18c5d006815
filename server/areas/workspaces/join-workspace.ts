import { newPassword } from '../../../contract/auth.ts'
import type { Context } from '../../context.ts'
import { inviteInvalid, Invalid } from '../../errors.ts'
import { hashToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import { recordAccountEvent } from '../auth/account-events.ts'
import type { RequestWithDevice } from '../auth/device.ts'
import { accountLocked } from '../auth/session.ts'
import { checkCredentials, type Credentials } from '../auth/log-in.ts'
import { createUser, findUserByEmail, hashNewPassword, type UserRow } from '../auth/user.ts'
import { claimAccount, markVerified } from '../auth/verify-email.ts'
import { isExpired, redeemInvite } from './invite.ts'
import { findInvite } from './store.ts'

export async function joinWorkspace(
  ctx: Context,
  input: Credentials & { token: string },
  from: RequestWithDevice,
): Promise<void> {
  const { token, email } = input
  // Only someone with an invite for the address learns whether it has an account.
  const invite = await findInvite(ctx.db, hashToken(token))
  if (!invite || invite.email !== email || isExpired(invite)) throw inviteInvalid()
  const byMail = invite.mailed_token_hash === hashToken(token)
  const existing = await findUserByEmail(ctx.db, email)
  if (existing) return joinWithAccount(ctx, input, from, existing, byMail)
  const passwordHash = await hashValidPassword(ctx, input.password)
  await transaction(ctx.db, async (trx) => {
    const user = await createUser(trx, { email, passwordHash, verified: false })
    if (!user) throw inviteInvalid()
    await recordAccountEvent(ctx, trx, { user: user.id, type: 'account.created', by: from })
    await redeemInvite(ctx, trx, { user, address: from.address }, token)
    if (byMail) await markVerified(ctx, trx, user.id, from)
  })
}

/**
 * Joins with an existing account. Only an emailed link proves the address; the password of an unconfirmed account may
 * be that of someone else.
 */
async function joinWithAccount(
  ctx: Context,
  input: Credentials & { token: string },
  from: RequestWithDevice,
  user: UserRow,
  byMail: boolean,
): Promise<void> {
  const isProving = byMail && !user.email_verified_at
  const isClaimed = isProving && !(await ctx.passwords.check(user.password_hash, input.password))
  const claimed = isClaimed ? await hashValidPassword(ctx, input.password) : undefined
  if (!isClaimed) await checkCredentials(ctx, input, from)
  if (user.locked_at) throw accountLocked()
  await transaction(ctx.db, async (trx) => {
    await redeemInvite(ctx, trx, { user, address: from.address }, input.token)
    if (claimed) await claimAccount(ctx, trx, user.id, claimed, from)
    if (isProving) await markVerified(ctx, trx, user.id, from)
  })
}

async function hashValidPassword(ctx: Context, password: string): Promise<string> {
  const chosen = newPassword.safeParse(password)
  if (!chosen.success) throw new Invalid({ password: chosen.error.issues.map(({ message }) => message) })
  return hashNewPassword(ctx, password)
}

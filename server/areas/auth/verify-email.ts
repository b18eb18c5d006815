import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, linkInvalid } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Anonymous } from '../../route.ts'
import type { Db, Trx } from '../../tables.ts'
import { recordAccountEvent } from './account-events.ts'
import { hasDeviceCookie, type Origin } from './device.ts'
import { countMail, type MailRecipient, sendMail, verificationMail } from './mails.ts'
import { revokeApiTokens } from './revoke-tokens.ts'
import {
  deleteSessions,
  deleteTokens,
  findUser,
  insertToken,
  replaceRecoveryCodes,
  consumeLink,
  updateUserRow,
} from './store.ts'
import { hashNewPassword } from './user.ts'

type UnverifiedUser = MailRecipient & { id: Id<'user'> }

export const requestVerification = (ctx: Context, user: UnverifiedUser, browser: string | undefined) =>
  transaction(ctx.db, (trx) => sendVerification(ctx, trx, user, browser))

/**
 * Sends a verification link; earlier links stay valid. The user just entered the password in `browser`, so that browser
 * can confirm the address without a new one.
 */
export async function sendVerification(
  ctx: Context,
  db: Db,
  user: UnverifiedUser,
  browser: string | undefined,
): Promise<void> {
  if (!ctx.mail || !(await countMail(ctx, db, user.id, 'verify'))) return
  const token = newToken('vfy')
  await insertToken(db, {
    token_hash: hashToken(token),
    user_id: user.id,
    purpose: 'verify',
    expires_at: new Date(Date.now() + 2 * 86_400_000),
    mailed: true,
    browser_hash: browser ?? null,
  })
  await sendMail(ctx, db, verificationMail(user, `${ctx.config.PUBLIC_URL}/verify?token=${token}`))
}

/**
 * Confirms an email address. Anyone can sign up with the address of another person, so a browser that did not sign up
 * must set a new password.
 */
export async function verifyEmail(
  ctx: Context,
  { token, password }: { token: string; password?: string | undefined },
  from: Anonymous,
): Promise<void> {
  const password_hash = password === undefined ? undefined : await hashNewPassword(ctx, password)
  await transaction(ctx.db, async (trx) => {
    const link = await consumeLink(trx, hashToken(token), 'verify')
    const user = link && (await findUser(trx, link.user_id))
    if (!link || !user) throw linkInvalid()
    // A link from before the confirmation must not set the password.
    if (password_hash && user.email_verified_at) throw linkInvalid()
    if (password_hash) await claimAccount(ctx, trx, user.id, password_hash, from)
    else if (!user.email_verified_at && !hasDeviceCookie(ctx.config, from, link.browser_hash))
      throw passwordRequired()
    await markVerified(ctx, trx, user.id, from)
  })
}

const passwordRequired = () =>
  conflict(
    'password_required',
    'Choose a password to confirm this address. The link was opened in a different browser than the one you signed up with.',
  )

/** Hands the account to the verified owner of the address, and removes everything that was set up before. */
export async function claimAccount(
  ctx: Context,
  trx: Trx,
  userId: Id<'user'>,
  password_hash: string,
  by: Origin,
): Promise<void> {
  await updateUserRow(trx, userId, { password_hash, two_factor_on_at: null, two_factor_secret: null })
  await replaceRecoveryCodes(trx, userId, [])
  await deleteSessions(trx, userId)
  await deleteTokens(trx, userId, 'reset')
  await deleteTokens(trx, userId, 'github')
  await revokeApiTokens(ctx, trx, userId, by, 'after a password reset')
  await recordAccountEvent(ctx, trx, { user: userId, type: 'password.reset', by })
}

export async function markVerified(ctx: Context, db: Db, userId: Id<'user'>, by: Origin): Promise<void> {
  await updateUserRow(db, userId, { email_verified_at: new Date() })
  await deleteTokens(db, userId, 'verify')
  await recordAccountEvent(ctx, db, { user: userId, type: 'email.confirmed', by })
}

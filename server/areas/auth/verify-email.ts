import type { Db } from '../../tables.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { linkInvalid } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import { sendMail, verificationMail } from './mails.ts'
import { deleteTokens, insertToken, takeToken, updateUserRow } from './store.ts'

interface Addressee {
  id: Id<'user'>
  email: string
  name: string
}

export const requestVerification = (ctx: Context, user: Addressee) =>
  transaction(ctx.db, (trx) => sendVerification(ctx, trx, user))

/** Only the newest link serves. */
export async function sendVerification(ctx: Context, db: Db, user: Addressee): Promise<void> {
  const token = newToken('vfy')
  await deleteTokens(db, user.id, 'verify')
  await insertToken(db, {
    token_hash: hashToken(token),
    user_id: user.id,
    purpose: 'verify',
    expires_at: new Date(Date.now() + 2 * 86_400_000),
  })
  await sendMail(ctx, db, verificationMail(user, `${ctx.config.PUBLIC_URL}/verify?token=${token}`))
}

export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const link = await takeToken(trx, hashToken(token), 'verify')
    if (!link) throw linkInvalid()
    await markVerified(trx, link.user_id)
  })
}

export const markVerified = (db: Db, userId: Id<'user'>) =>
  updateUserRow(db, userId, { email_verified_at: new Date() })

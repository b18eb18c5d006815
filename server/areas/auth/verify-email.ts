import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { linkInvalid } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Db } from '../../tables.ts'
import { type Addressee, sendMail, verificationMail } from './mails.ts'
import { insertToken, takeLink, takeMailTurn, updateUserRow } from './store.ts'

type Unconfirmed = Addressee & { id: Id<'user'> }

export const requestVerification = (ctx: Context, user: Unconfirmed) =>
  transaction(ctx.db, (trx) => sendVerification(ctx, trx, user))

/** Earlier links go on serving, until one is used. */
export async function sendVerification(ctx: Context, db: Db, user: Unconfirmed): Promise<void> {
  if (!ctx.mail || !(await takeMailTurn(db, user.id, 'verify'))) return
  const token = newToken('vfy')
  await insertToken(db, {
    token_hash: hashToken(token),
    user_id: user.id,
    purpose: 'verify',
    expires_at: new Date(Date.now() + 2 * 86_400_000),
    mailed: true,
  })
  await sendMail(ctx, db, verificationMail(user, `${ctx.config.PUBLIC_URL}/verify?token=${token}`))
}

export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const link = await takeLink(trx, hashToken(token), 'verify')
    if (!link) throw linkInvalid()
    await markVerified(trx, link.user_id)
  })
}

export const markVerified = (db: Db, userId: Id<'user'>) =>
  updateUserRow(db, userId, { email_verified_at: new Date() })

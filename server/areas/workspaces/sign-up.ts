import type { Context } from '../../context.ts'
import { signupClosed } from '../../errors.ts'
import { transaction } from '../../platform/transaction.ts'
import { getSettings } from '../../settings.ts'
import type { Db } from '../../tables.ts'
import { recordAccountEvent } from '../auth/account-events.ts'
import type { KnownVisitor } from '../auth/device.ts'
import { alreadySignedUpMail, sendMail, takeMailTurn } from '../auth/mails.ts'
import { createUser, findUserByEmail, hashNewPassword, isFirstUser } from '../auth/user.ts'
import { sendVerification } from '../auth/verify-email.ts'
import { foundWorkspace } from './workspace.ts'

interface SignUp {
  organisation: string
  email: string
  password: string
}

/** A user and a workspace that they own. The answer is the same when there is an account for the address. */
export async function signUp(ctx: Context, given: SignUp, from: KnownVisitor): Promise<void> {
  await refuseWhenClosed(ctx, ctx.db)
  const passwordHash = await hashNewPassword(given.password)
  await transaction(ctx.db, async (trx) => {
    await refuseWhenClosed(ctx, trx)
    const user = await createUser(trx, { email: given.email, passwordHash, verified: false })
    if (user) {
      await foundWorkspace(ctx, trx, { user, address: from.address }, given.organisation)
      await recordAccountEvent(ctx, trx, { user: user.id, type: 'account.created', by: from })
      await sendVerification(ctx, trx, user, from.browser)
    } else {
      const existing = await findUserByEmail(trx, given.email)
      if (ctx.mail && existing && (await takeMailTurn(trx, existing.id, 'already_signed_up')))
        await sendMail(ctx, trx, alreadySignedUpMail(existing, `${ctx.config.PUBLIC_URL}/login`))
    }
  })
}

export async function refuseWhenClosed(ctx: Context, db: Db): Promise<void> {
  if ((await getSettings({ ...ctx, db })).signup === 'invite' && !(await isFirstUser(db)))
    throw signupClosed()
}

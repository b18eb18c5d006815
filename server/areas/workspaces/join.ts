import { newPassword } from '../../../contract/auth.ts'
import type { Context } from '../../context.ts'
import { inviteInvalid, Invalid } from '../../errors.ts'
import { hashToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Visitor } from '../../route.ts'
import { checkCredentials, type Credentials } from '../auth/log-in.ts'
import { createUser, findUserByEmail, hashNewPassword } from '../auth/user.ts'
import { markVerified } from '../auth/verify-email.ts'
import { useInvite } from './invite.ts'
import { findInvite } from './store.ts'

/** By an invite to this address: with the account there is, or with one made now. */
export async function join(
  ctx: Context,
  given: Credentials & { token: string },
  from: Visitor,
): Promise<void> {
  const { token, email } = given
  // Only whoever holds the invite for the address learns whether it has an account.
  if (!(await findInvite(ctx.db, hashToken(token), email))) throw inviteInvalid()
  const existing = await findUserByEmail(ctx.db, email)
  if (existing) {
    await checkCredentials(ctx, given, from)
    await transaction(ctx.db, async (trx) => {
      const { byMail } = await useInvite(ctx, trx, { user: existing, address: from.address }, token)
      if (byMail && !existing.email_verified_at) await markVerified(trx, existing.id)
    })
    return
  }
  const chosen = newPassword.safeParse(given.password)
  if (!chosen.success) throw new Invalid({ password: chosen.error.issues.map(({ message }) => message) })
  const passwordHash = await hashNewPassword(given.password)
  await transaction(ctx.db, async (trx) => {
    const user = await createUser(trx, { email, passwordHash, verified: false })
    if (!user) throw inviteInvalid()
    const { byMail } = await useInvite(ctx, trx, { user, address: from.address }, token)
    if (byMail) await markVerified(trx, user.id)
  })
}

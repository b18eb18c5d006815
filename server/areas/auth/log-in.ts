import type { Context } from '../../context.ts'
import { twoFactorRequired, wrongCode, wrongCredentials, wrongOrUnconfirmed } from '../../errors.ts'
import { checkPassword } from '../../platform/passwords.ts'
import type { Visitor } from '../../route.ts'
import { beginAttempt, forgetFailures, forgiveAttempt } from './lock-out.ts'
import { startSession } from './session.ts'
import { findUserByEmail } from './store.ts'
import { checkSecondFactor } from './two-factor.ts'
import { requestVerification } from './verify-email.ts'

export interface Credentials {
  email: string
  password: string
  otp?: string | undefined
}

export async function logIn(ctx: Context, given: Credentials, from: Visitor): Promise<string> {
  const user = await checkCredentials(ctx, given, from, { confirmed: Boolean(ctx.mail) })
  return startSession(ctx.db, user.id, from)
}

/**
 * The user whose email, password and, where it is on, second factor these are. An address that should be confirmed and
 * is not gets the answer of a wrong password, and counts as one: a sign-up and a log-in must not tell who has an account.
 */
export async function checkCredentials(
  ctx: Context,
  { email, password, otp }: Credentials,
  from: Visitor,
  { confirmed = false } = {},
) {
  await beginAttempt(ctx, email, from.address)
  const user = await findUserByEmail(ctx.db, email)
  if (!(await checkPassword(user?.password_hash, password)) || !user)
    throw confirmed ? wrongOrUnconfirmed() : wrongCredentials()
  if (confirmed && !user.email_verified_at) {
    await requestVerification(ctx, user)
    throw wrongOrUnconfirmed()
  }
  if (user.two_factor_on_at && !otp) {
    await forgiveAttempt(ctx, email, from.address)
    throw twoFactorRequired()
  }
  if (user.two_factor_on_at && !(await checkSecondFactor(ctx, user, otp ?? ''))) throw wrongCode()
  await forgetFailures(ctx, email, from.address)
  return user
}

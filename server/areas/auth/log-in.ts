import type { Context } from '../../context.ts'
import { twoFactorRequired, wrongCode, wrongCredentials, wrongOrUnconfirmed } from '../../errors.ts'
import { PasswordsBusy } from '../../platform/passwords.ts'
import type { Anonymous } from '../../route.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { recordAccountEvent, recordInBackground } from './account-events.ts'
import type { RequestWithDevice } from './device.ts'
import { startAttempt, clearFailures, removeAttempt } from './login-rate-limit.ts'
import { startSession } from './session.ts'
import { findUserByEmail } from './store.ts'
import { checkSecondFactor } from './two-factor.ts'
import { requestVerification } from './verify-email.ts'

export interface Credentials {
  email: string
  password: string
  otp?: string | undefined
}

export async function logIn(ctx: Context, input: Credentials, from: RequestWithDevice): Promise<string> {
  const user = await checkCredentials(ctx, input, from, { confirmed: Boolean(ctx.mail) })
  return startLoginSession(ctx, user.id, from, 'password')
}

export const startLoginSession = (
  ctx: Context,
  userId: Id<'user'>,
  from: RequestWithDevice,
  method: 'password' | 'GitHub',
): Promise<string> =>
  transaction(ctx.db, async (trx) => {
    await recordAccountEvent(ctx, trx, {
      user: userId,
      type: 'account.login',
      by: from,
      detail: `with ${method}`,
    })
    return startSession(trx, userId, from)
  })

/** An unconfirmed address gets the same error as a wrong password, to prevent account enumeration. */
export async function checkCredentials(
  ctx: Context,
  { email, password, otp }: Credentials,
  from: Anonymous & { browser?: string },
  { confirmed = false } = {},
) {
  await startAttempt(ctx, email, from.address)
  const user = await findUserByEmail(ctx.db, email)
  const failed = (detail: string) =>
    user && recordInBackground(ctx, { user: user.id, type: 'account.login_failed', by: from, detail })
  const isRight = await ctx.passwords.check(user?.password_hash, password).catch(async (error: unknown) => {
    // The password was not checked, so the attempt is not a failure.
    if (error instanceof PasswordsBusy) await removeAttempt(ctx, email, from.address)
    throw error
  })
  if (!isRight || !user) {
    failed('wrong password')
    throw confirmed ? wrongOrUnconfirmed() : wrongCredentials()
  }
  if (confirmed && !user.email_verified_at) {
    await requestVerification(ctx, user, from.browser)
    throw wrongOrUnconfirmed()
  }
  if (user.two_factor_on_at && !otp) {
    await removeAttempt(ctx, email, from.address)
    throw twoFactorRequired()
  }
  if (user.two_factor_on_at && !(await checkSecondFactor(ctx, user, otp ?? '', from))) {
    failed('wrong two-factor code')
    throw wrongCode()
  }
  await clearFailures(ctx, email, from.address)
  return user
}

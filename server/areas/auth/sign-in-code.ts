import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { twoFactorRequired, unauthenticated, wrongCode } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import type { Anonymous } from '../../route.ts'
import { recordInBackground } from './account-events.ts'
import { readSignInState, signInExpired } from './github-sign-in.ts'
import { startAttempt, removeAttempt } from './login-throttle.ts'
import { findToken, findUser, insertToken, consumeToken } from './store.ts'
import { checkSecondFactor } from './two-factor.ts'
import type { UserRow } from './user.ts'

const hashSignInCode = (state: string, code: string) => hashToken(`${state} ${code}`)

/**
 * Issues a one-time code that completes the sign-in. Its hash includes the state in the cookie of the browser, so it is useless in another browser. It is valid long enough to enter a second factor.
 */
export async function issueSignInCode(
  ctx: Context,
  state: string,
  user: { id: Id<'user'>; two_factor_on_at: Date | null },
  isSignup: boolean,
): Promise<string> {
  const code = newToken('sgn')
  const seconds = user.two_factor_on_at ? 300 : 120
  await insertToken(ctx.db, {
    token_hash: hashSignInCode(state, code),
    user_id: user.id,
    purpose: 'github',
    expires_at: new Date(Date.now() + seconds * 1_000),
    is_signup: isSignup,
  })
  return code
}

/** Returns the user of a sign-in code after checking the second factor. The code is consumed only then. */
export async function redeemSignInCode(
  ctx: Context,
  input: { code: string; otp?: string | undefined; cookie: string | undefined },
  from: Anonymous,
) {
  const key = hashSignInCode(readSignInState(ctx, input.cookie), input.code)
  const waiting = await findToken(ctx.db, key, 'github')
  if (!waiting) throw signInExpired()
  const user = await findUser(ctx.db, waiting.user_id)
  if (!user) throw unauthenticated()
  if (user.two_factor_on_at) await requireSecondFactor(ctx, user, input.otp, from)
  if (!(await consumeToken(ctx.db, key, 'github'))) throw signInExpired()
  return { user, isSignup: waiting.is_signup }
}

async function requireSecondFactor(ctx: Context, user: UserRow, otp: string | undefined, from: Anonymous) {
  if (!otp) throw twoFactorRequired()
  await startAttempt(ctx, user.email, from.address)
  if (!(await checkSecondFactor(ctx, user, otp, from))) {
    const detail = 'wrong two-factor code'
    recordInBackground(ctx, { user: user.id, type: 'account.login_failed', by: from, detail })
    throw wrongCode()
  }
  await removeAttempt(ctx, user.email, from.address)
}

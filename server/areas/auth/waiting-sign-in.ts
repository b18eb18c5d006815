import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { twoFactorRequired, unauthenticated, wrongCode } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import type { Anonymous } from '../../route.ts'
import { recordInBackground } from './account-events.ts'
import { readState, signInLost } from './github.ts'
import { beginAttempt, forgiveAttempt } from './lock-out.ts'
import { findToken, findUser, insertToken, takeToken } from './store.ts'
import { checkSecondFactor } from './two-factor.ts'
import type { UserRow } from './user.ts'

const keyOf = (state: string, code: string) => hashToken(`${state} ${code}`)

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
    token_hash: keyOf(state, code),
    user_id: user.id,
    purpose: 'github',
    expires_at: new Date(Date.now() + seconds * 1_000),
    is_signup: isSignup,
  })
  return code
}

/** Returns the user of a sign-in code after checking the second factor. The code is consumed only then. */
export async function takeSignInCode(
  ctx: Context,
  given: { code: string; otp?: string | undefined; cookie: string | undefined },
  from: Anonymous,
) {
  const key = keyOf(readState(ctx, given.cookie), given.code)
  const waiting = await findToken(ctx.db, key, 'github')
  if (!waiting) throw signInLost()
  const user = await findUser(ctx.db, waiting.user_id)
  if (!user) throw unauthenticated()
  if (user.two_factor_on_at) await passSecondFactor(ctx, user, given.otp, from)
  if (!(await takeToken(ctx.db, key, 'github'))) throw signInLost()
  return { user, isSignup: waiting.is_signup }
}

async function passSecondFactor(ctx: Context, user: UserRow, otp: string | undefined, from: Anonymous) {
  if (!otp) throw twoFactorRequired()
  await beginAttempt(ctx, user.email, from.address)
  if (!(await checkSecondFactor(ctx, user, otp, from))) {
    const detail = 'wrong two-factor code'
    recordInBackground(ctx, { user: user.id, type: 'account.login_failed', by: from, detail })
    throw wrongCode()
  }
  await forgiveAttempt(ctx, user.email, from.address)
}

import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { twoFactorRequired, unauthenticated, wrongCode } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import type { Visitor } from '../../route.ts'
import { recordInBackground } from './account-events.ts'
import { type Came, checkJourney, readState, signInLost } from './github.ts'
import { beginAttempt, forgiveAttempt } from './lock-out.ts'
import { findToken, findUser, insertToken, takeToken } from './store.ts'
import { checkSecondFactor } from './two-factor.ts'

const keyOf = (came: Came) => hashToken(`${came.state ?? ''} ${came.code}`)

/** GitHub takes a code once; a sign-in that needs a second factor waits here for the call that brings it. */
export async function waitForSecondFactor(ctx: Context, came: Came, userId: Id<'user'>): Promise<never> {
  const expires_at = new Date(Date.now() + 300_000)
  await insertToken(ctx.db, { token_hash: keyOf(came), user_id: userId, purpose: 'github', expires_at })
  throw twoFactorRequired()
}

/**
 * A code that ends a sign-in in the browser that started it: its hash is made with the state that this browser has in
 * its cookie, so that it opens nothing in another. It lives for as long as somebody needs for a second factor, at most.
 */
export async function issueSignInCode(
  ctx: Context,
  came: Came,
  user: { id: Id<'user'>; two_factor_on_at: Date | null },
  isSignup: boolean,
): Promise<string> {
  const code = newToken('sgn')
  const seconds = user.two_factor_on_at ? 300 : 120
  await insertToken(ctx.db, {
    token_hash: keyOf({ ...came, code }),
    user_id: user.id,
    purpose: 'github',
    expires_at: new Date(Date.now() + seconds * 1_000),
    is_signup: isSignup,
  })
  return code
}

/** Whose sign-in a code ends in this browser. */
export async function takeSignInCode(
  ctx: Context,
  given: { code: string; otp: string | undefined; cookie: string | undefined },
  from: Visitor,
) {
  const came = { code: given.code, state: readState(ctx, given.cookie), cookie: given.cookie }
  const waiting = await findToken(ctx.db, keyOf(came), 'github')
  const user = await resumeSignIn(ctx, came, given.otp, from)
  if (!waiting || !user) throw signInLost()
  return { user, isSignup: waiting.is_signup }
}

/** The user whose sign-in waited, once the second factor is right; nothing when none waits. */
export async function resumeSignIn(ctx: Context, came: Came, otp: string | undefined, from: Visitor) {
  const waiting = await findToken(ctx.db, keyOf(came), 'github')
  if (!waiting) return undefined
  checkJourney(ctx, came)
  const user = await findUser(ctx.db, waiting.user_id)
  if (!user) throw unauthenticated()
  if (!user.two_factor_on_at) return (await takeToken(ctx.db, keyOf(came), 'github')) && user
  if (!otp) throw twoFactorRequired()
  await beginAttempt(ctx, user.email, from.address)
  if (!(await checkSecondFactor(ctx, user, otp, from))) {
    const detail = 'wrong two-factor code'
    recordInBackground(ctx, { user: user.id, type: 'account.login_failed', by: from, detail })
    throw wrongCode()
  }
  await forgiveAttempt(ctx, user.email, from.address)
  return (await takeToken(ctx.db, keyOf(came), 'github')) && user
}

import type { Context } from '../../context.ts'
import type { Visitor } from '../../route.ts'
import { cookieName, finishGitHub } from '../auth/github.ts'
import { startSession } from '../auth/session.ts'
import { resumeSignIn, waitForSecondFactor } from '../auth/waiting-sign-in.ts'
import { signInWithGitHub } from './sign-in-with-github.ts'

/** A session for whoever came back from GitHub with this code. */
export async function exchangeCode(
  ctx: Context,
  given: { code: string; state?: string | undefined; otp?: string | undefined },
  from: Visitor,
) {
  const came = { code: given.code, state: given.state, cookie: from.cookie(cookieName) }
  const resumed = await resumeSignIn(ctx, came, given.otp, from)
  if (resumed) return { token: { token: await startSession(ctx.db, resumed.id, from) }, is_signup: false }
  const { user, isSignup } = await signInWithGitHub(ctx, await finishGitHub(ctx, came), from)
  if (user.two_factor_on_at) return waitForSecondFactor(ctx, came, user.id)
  return { token: { token: await startSession(ctx.db, user.id, from) }, is_signup: isSignup }
}

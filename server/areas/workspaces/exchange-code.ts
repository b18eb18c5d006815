import type { Context } from '../../context.ts'
import { cookieName, finishGitHub } from '../auth/github.ts'
import type { KnownVisitor } from '../auth/device.ts'
import { beginSession } from '../auth/log-in.ts'
import { resumeSignIn, waitForSecondFactor } from '../auth/waiting-sign-in.ts'
import { signInWithGitHub } from './sign-in-with-github.ts'

/** A session for whoever came back from GitHub with this code. */
export async function exchangeCode(
  ctx: Context,
  given: { code: string; state?: string | undefined; otp?: string | undefined },
  from: KnownVisitor,
) {
  const came = { code: given.code, state: given.state, cookie: from.cookie(cookieName) }
  const resumed = await resumeSignIn(ctx, came, given.otp, from)
  if (resumed)
    return { token: { token: await beginSession(ctx, resumed.id, from, 'GitHub') }, is_signup: false }
  const { user, isSignup } = await signInWithGitHub(ctx, await finishGitHub(ctx, came), from)
  if (user.two_factor_on_at) return waitForSecondFactor(ctx, came, user.id)
  return { token: { token: await beginSession(ctx, user.id, from, 'GitHub') }, is_signup: isSignup }
}

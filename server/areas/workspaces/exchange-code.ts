import type { Context } from '../../context.ts'
import { readCookie } from '../auth/cookies.ts'
import type { KnownVisitor } from '../auth/device.ts'
import { checkJourney, finishGitHub } from '../auth/github.ts'
import { beginSession } from '../auth/log-in.ts'
import {
  issueSignInCode,
  resumeSignIn,
  takeSignInCode,
  waitForSecondFactor,
} from '../auth/waiting-sign-in.ts'
import { signInWithGitHub } from './sign-in-with-github.ts'

/** A one-time code for whoever came back from GitHub, in the browser that they went there with. */
export async function finishSignIn(ctx: Context, given: { code: string; state: string }, from: KnownVisitor) {
  const came = { ...given, cookie: readCookie(ctx.config, from, 'slipway_github') }
  const profile = await finishGitHub(ctx, came)
  const { setup } = checkJourney(ctx, came)
  const { user, isSignup } = await signInWithGitHub(ctx, profile, from, setup)
  return { code: await issueSignInCode(ctx, came, user, isSignup) }
}

/** A session for a one-time code of ours; or, with a state, for whoever came back from GitHub with this code. */
export async function exchangeCode(
  ctx: Context,
  given: { code: string; state?: string | undefined; otp?: string | undefined },
  from: KnownVisitor,
) {
  if (given.state === undefined) {
    const { code, otp } = given
    const cookie = readCookie(ctx.config, from, 'slipway_github')
    const { user, isSignup } = await takeSignInCode(ctx, { code, otp, cookie }, from)
    return { token: { token: await beginSession(ctx, user.id, from, 'GitHub') }, is_signup: isSignup }
  }
  const came = {
    code: given.code,
    state: given.state,
    cookie: readCookie(ctx.config, from, 'slipway_github'),
  }
  const resumed = await resumeSignIn(ctx, came, given.otp, from)
  if (resumed)
    return { token: { token: await beginSession(ctx, resumed.id, from, 'GitHub') }, is_signup: false }
  const profile = await finishGitHub(ctx, came)
  const { setup } = checkJourney(ctx, came)
  const { user, isSignup } = await signInWithGitHub(ctx, profile, from, setup)
  if (user.two_factor_on_at) return waitForSecondFactor(ctx, came, user.id)
  return { token: { token: await beginSession(ctx, user.id, from, 'GitHub') }, is_signup: isSignup }
}

import type { Context } from '../../context.ts'
import { readCookie } from '../auth/cookies.ts'
import type { KnownVisitor } from '../auth/device.ts'
import { finishGitHub } from '../auth/github.ts'
import { beginSession } from '../auth/log-in.ts'
import { issueSignInCode, takeSignInCode } from '../auth/waiting-sign-in.ts'
import { signInWithGitHub } from './sign-in-with-github.ts'

/** Returns a one-time code after the GitHub redirect, for the browser that started it. */
export async function finishSignIn(ctx: Context, given: { code: string; state: string }, from: KnownVisitor) {
  const cookie = readCookie(ctx.config, from, 'slipway_github')
  const { profile, setup } = await finishGitHub(ctx, { ...given, cookie })
  const { user, isSignup } = await signInWithGitHub(ctx, profile, from, setup)
  return { code: await issueSignInCode(ctx, given.state, user, isSignup) }
}

/** Exchanges our one-time code for a session. GitHub's own code is never accepted here. */
export async function exchangeCode(
  ctx: Context,
  given: { code: string; otp?: string | undefined },
  from: KnownVisitor,
) {
  const cookie = readCookie(ctx.config, from, 'slipway_github')
  const { user, isSignup } = await takeSignInCode(ctx, { ...given, cookie }, from)
  return { token: { token: await beginSession(ctx, user.id, from, 'GitHub') }, is_signup: isSignup }
}

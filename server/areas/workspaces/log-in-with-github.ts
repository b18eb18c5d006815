import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Anonymous } from '../../route.ts'
import { recordAccountEvent } from '../auth/account-events.ts'
import type { GitHubProfile } from '../auth/github-login.ts'
import { createUser, findUserByEmail, findUserByIdentity, linkIdentity, type UserRow } from '../auth/user.ts'
import { assertSignUpAllowed, completeSetup } from './sign-up.ts'
import { insertWorkspaceFor } from './workspace.ts'

export interface LoginResult {
  user: UserRow
  isSignup: boolean
}

/**
 * Logs in to the linked account, otherwise links the account with the same verified address, otherwise creates an
 * account.
 */
export async function logInWithGitHub(
  ctx: Context,
  profile: GitHubProfile,
  from: Anonymous,
  setup: string | undefined,
): Promise<LoginResult> {
  const linked = await findUserByIdentity(ctx.db, 'github', profile.subject)
  if (linked) return { user: linked, isSignup: false }
  const { email } = profile
  if (!email)
    throw conflict('no_verified_email', 'Your GitHub account has no verified primary email address.')
  const existing = await findUserByEmail(ctx.db, email)
  if (existing) return { user: await link(ctx, existing, profile, from), isSignup: false }
  return { user: await signUpFromGitHub(ctx, { ...profile, email }, from, setup), isSignup: true }
}

/**
 * Only accounts with a confirmed address are linked, so that signing up with the address of another person gains
 * nothing.
 */
async function link(ctx: Context, user: UserRow, profile: GitHubProfile, from: Anonymous) {
  if (!user.email_verified_at)
    throw conflict(
      'email_unverified',
      `An account for ${user.email} already exists. Log in with its password.`,
    )
  await transaction(ctx.db, async (trx) => {
    await linkIdentity(trx, user.id, 'github', profile)
    await recordAccountEvent(ctx, trx, {
      user: user.id,
      type: 'github.linked',
      by: from,
      detail: profile.login,
    })
  })
  return user
}

function signUpFromGitHub(
  ctx: Context,
  profile: GitHubProfile & { email: string },
  from: Anonymous,
  setup: string | undefined,
) {
  const { email } = profile
  const name = profile.name ?? profile.login
  return transaction(ctx.db, async (trx) => {
    const instanceOwner = await assertSignUpAllowed(ctx, trx, setup)
    const user = await createUser(trx, { email, name, passwordHash: null, verified: true, instanceOwner })
    if (!user) throw conflict('signed_up_meanwhile', 'This login is already in progress. Try again.')
    if (instanceOwner) await completeSetup(trx, user, from)
    await linkIdentity(trx, user.id, 'github', profile)
    const detail = `with GitHub account ${profile.login}`
    await recordAccountEvent(ctx, trx, { user: user.id, type: 'account.created', by: from, detail })
    await insertWorkspaceFor(ctx, trx, { user, address: from.address }, profile.login)
    return user
  })
}

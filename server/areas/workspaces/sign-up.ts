import type { Context } from '../../context.ts'
import { signupClosed } from '../../errors.ts'
import { recordInstanceEvent } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User, Anonymous } from '../../route.ts'
import { getSettings } from '../../settings.ts'
import type { Db, Trx } from '../../tables.ts'
import { recordAccountEvent } from '../auth/account-events.ts'
import type { RequestWithDevice } from '../auth/device.ts'
import { alreadySignedUpMail, countMail, sendMail } from '../auth/mails.ts'
import { checkSetupLink, deleteSetupLink, needsSetupLink } from '../auth/setup-link.ts'
import { createUser, findUserByEmail, hashNewPassword, isFirstUser } from '../auth/user.ts'
import { sendVerification } from '../auth/verify-email.ts'
import { insertWorkspaceFor } from './workspace.ts'

interface SignUpInput {
  organisation: string
  email: string
  password: string
  setup?: string | undefined
}

/**
 * Creates a user and their workspace. If the address already has an account, the response is the same, to prevent
 * account enumeration.
 */
export async function signUp(ctx: Context, input: SignUpInput, from: RequestWithDevice): Promise<void> {
  await assertSignUpAllowed(ctx, ctx.db, input.setup)
  const passwordHash = await hashNewPassword(ctx, input.password)
  await transaction(ctx.db, async (trx) => {
    const instanceOwner = await assertSignUpAllowed(ctx, trx, input.setup)
    // A mistyped address may belong to a stranger, who must not get a link that takes over the first account.
    const verified = instanceOwner && (await needsSetupLink({ ...ctx, db: trx }))
    const user = await createUser(trx, { email: input.email, passwordHash, verified, instanceOwner })
    if (user) {
      if (instanceOwner) await completeSetup(trx, user, from)
      await insertWorkspaceFor(ctx, trx, { user, address: from.address }, input.organisation)
      await recordAccountEvent(ctx, trx, { user: user.id, type: 'account.created', by: from })
      if (!verified) await sendVerification(ctx, trx, user, from.browser)
    } else {
      const existing = await findUserByEmail(trx, input.email)
      if (ctx.mail && existing && (await countMail(ctx, trx, existing.id, 'already_signed_up')))
        await sendMail(ctx, trx, alreadySignedUpMail(existing, `${ctx.config.PUBLIC_URL}/login`))
    }
  })
}

/**
 * Throws if signup is closed, and returns whether this is the first account, which becomes the instance owner. Locks
 * until the transaction ends.
 */
export async function assertSignUpAllowed(ctx: Context, db: Db, setup: string | undefined): Promise<boolean> {
  if (await isFirstUser(db)) {
    if (await needsSetupLink({ ...ctx, db })) await checkSetupLink(db, setup)
    return true
  }
  if ((await getSettings({ ...ctx, db })).signup === 'invite') throw signupClosed()
  return false
}

export async function completeSetup(trx: Trx, user: User['user'], { address }: Anonymous): Promise<void> {
  await deleteSetupLink(trx)
  const target = { kind: 'user', id: user.id, name: user.name }
  await recordInstanceEvent(trx, { user, address }, 'instance.set_up', target)
}

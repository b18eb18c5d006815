import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid } from '../../errors.ts'
import { hashToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User } from '../../route.ts'
import { recordAccountEvent } from './account-events.ts'
import type { Origin } from './device.ts'
import { startAttempt, removeAttempt } from './login-rate-limit.ts'
import {
  deleteSessions,
  findUser,
  replaceRecoveryCodes,
  setTwoFactorOn,
  setTwoFactorSecret,
  consumeRecoveryCode,
  consumeTimeStep,
  updateUserRow,
} from './store.ts'

const twoFactorSealContext = (userId: string) => `users.two_factor_secret:${userId}`
const totp = (secret: string, label: string) =>
  new TOTP({ issuer: 'Slipway', label, secret: Secret.fromBase32(secret), period: 30, digits: 6 })

interface TwoFactorUser {
  id: Id<'user'>
  email: string
  two_factor_secret: string | null
}

/** Accepts an unused TOTP code that is at most one time step off, or a recovery code, which is consumed. */
export async function checkSecondFactor(
  ctx: Context,
  user: TwoFactorUser,
  code: string,
  by: Origin,
): Promise<boolean> {
  const typed = code.replace(/[\s-]/g, '').toLowerCase()
  if (!/^\d{6}$/.test(typed)) {
    if (!(await consumeRecoveryCode(ctx.db, user.id, hashToken(typed)))) return false
    await recordAccountEvent(ctx, ctx.db, { user: user.id, type: 'two_factor.recovery_code_used', by })
    return true
  }
  if (!user.two_factor_secret) return false
  const secret = ctx.secrets.open(twoFactorSealContext(user.id), user.two_factor_secret)
  const timestamp = ctx.now().getTime()
  const off = totp(secret, user.email).validate({ token: typed, window: 1, timestamp })
  if (off === null) return false
  return Boolean(await consumeTimeStep(ctx.db, user.id, Math.floor(timestamp / 30_000) + off))
}

export async function startTwoFactor(ctx: Context, person: User, password: string) {
  const user = await confirmPassword(ctx, person, password)
  const secret = new Secret({ size: 20 }).base32
  if (!(await setTwoFactorSecret(ctx.db, user.id, ctx.secrets.seal(twoFactorSealContext(user.id), secret))))
    throw conflict('two_factor_on', 'Two-factor authentication is already on.')
  return { secret, url: totp(secret, user.email).toString() }
}

export async function confirmTwoFactor(ctx: Context, person: User, code: string): Promise<string[]> {
  const user = await findUser(ctx.db, person.user.id)
  const checked = user?.two_factor_secret
  if (!checked || user.two_factor_on_at)
    throw conflict('two_factor_not_begun', 'Start two-factor setup first.')
  await confirmCode(ctx, user, person, code)
  const codes = newRecoveryCodes()
  await transaction(ctx.db, async (trx) => {
    if (!(await setTwoFactorOn(trx, user.id, checked, ctx.now())))
      throw conflict('two_factor_changed', 'Two-factor setup was restarted. Reload the page.')
    await replaceRecoveryCodes(trx, user.id, codes.map(hashRecoveryCode))
    // Other sessions end, because they were started without a second factor. API tokens stay valid.
    await deleteSessions(trx, user.id, person.via.kind === 'session' ? person.via.id : undefined)
    await recordAccountEvent(ctx, trx, { user: user.id, type: 'two_factor.enabled', by: person })
  })
  return codes
}

export async function renewRecoveryCodes(ctx: Context, person: User, password: string, code: string) {
  const user = await confirmPasswordAndCode(ctx, person, password, code)
  const codes = newRecoveryCodes()
  await transaction(ctx.db, async (trx) => {
    await replaceRecoveryCodes(trx, user.id, codes.map(hashRecoveryCode))
    await recordAccountEvent(ctx, trx, {
      user: user.id,
      type: 'two_factor.recovery_codes_renewed',
      by: person,
    })
  })
  return codes
}

export async function stopTwoFactor(
  ctx: Context,
  person: User,
  password: string,
  code: string,
): Promise<void> {
  const user = await confirmPasswordAndCode(ctx, person, password, code)
  await turnOffTwoFactor(ctx, user.id, person)
}

export async function turnOffTwoFactor(
  ctx: Context,
  userId: Id<'user'>,
  by: User | 'operator',
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await updateUserRow(trx, userId, { two_factor_on_at: null, two_factor_secret: null })
    await replaceRecoveryCodes(trx, userId, [])
    await recordAccountEvent(ctx, trx, { user: userId, type: 'two_factor.disabled', by })
  })
}

/** Confirms the password, because a session alone does not prove the identity: the screen may be unattended. */
export async function confirmPassword(ctx: Context, person: User, password: string, field = 'password') {
  const user = await findUser(ctx.db, person.user.id)
  if (user && !user.password_hash) throw conflict('no_password', 'Set a password first.')
  await startAttempt(ctx, person.user.email, person.address)
  if (!(await ctx.passwords.check(user?.password_hash, password)) || !user)
    throw new Invalid({ [field]: ['Wrong password.'] })
  await removeAttempt(ctx, person.user.email, person.address)
  return user
}

async function confirmPasswordAndCode(ctx: Context, person: User, password: string, code: string) {
  const user = await confirmPassword(ctx, person, password)
  if (!user.two_factor_on_at) throw conflict('two_factor_off', 'Two-factor authentication is off.')
  await confirmCode(ctx, user, person, code)
  return user
}

async function confirmCode(ctx: Context, user: TwoFactorUser, person: User, code: string) {
  await startAttempt(ctx, user.email, person.address)
  if (!(await checkSecondFactor(ctx, user, code, person)))
    throw new Invalid({ code: ['This code is wrong or was already used.'] })
  await removeAttempt(ctx, user.email, person.address)
}

const letters = 'abcdefghjkmnpqrstuvwxyz'
const newRecoveryCodes = () =>
  Array.from({ length: 10 }, () => {
    const code = Array.from({ length: 12 }, () => letters.charAt(randomInt(letters.length))).join('')
    return `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`
  })
const hashRecoveryCode = (code: string) => hashToken(code.replaceAll('-', ''))

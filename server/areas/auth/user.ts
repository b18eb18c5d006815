import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { user } from '../../../contract/user.ts'
import type { Context } from '../../context.ts'
import { Invalid, unauthenticated } from '../../errors.ts'
import { isCommonPassword } from '../../platform/passwords.ts'
import { newId } from '../../platform/ids.ts'
import type { Db, Tables } from '../../tables.ts'
import type { GitHubProfile } from './github-login.ts'
import {
  anyUserExists,
  findIdentity,
  findUser,
  insertIdentity,
  insertUser,
  lockFirstSignUp,
  updateUserRow,
} from './store.ts'

export { findUserByEmail, startTrialOnce } from './store.ts'

export type UserRow = Selectable<Tables['users']>

export async function getUser(ctx: Context, id: Id<'user'>): Promise<z.input<typeof user>> {
  const row = await findUser(ctx.db, id)
  if (!row) throw unauthenticated()
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    email_verified: !ctx.mail || row.email_verified_at !== null,
    two_factor: row.two_factor_on_at !== null,
    has_password: row.password_hash !== null,
    github: row.github,
    instance_owner: row.instance_owner,
    created_at: row.created_at.toISOString(),
  }
}

export async function renameUser(ctx: Context, id: Id<'user'>, name: string) {
  await updateUserRow(ctx.db, id, { name })
  return getUser(ctx, id)
}

export interface NewUser {
  email: string
  name?: string
  passwordHash: string | null
  verified: boolean
  instanceOwner?: boolean
}

/** Creates a user, or returns nothing if the address already has an account. */
export async function createUser(db: Db, given: NewUser) {
  return insertUser(db, {
    id: newId('user'),
    email: given.email,
    name: given.name ?? nameFromEmail(given.email),
    password_hash: given.passwordHash,
    email_verified_at: given.verified ? new Date() : null,
    instance_owner: given.instanceOwner ?? false,
  })
}

/** Derives a default name from the address: `ada.lovelace@example.com` becomes "Ada Lovelace". */
export function nameFromEmail(email: string): string {
  const words = (email.split('@')[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || email
}

export async function hashNewPassword(ctx: Context, password: string): Promise<string> {
  if (await isCommonPassword(password))
    throw new Invalid({ password: ['This password is too common. Choose another.'] })
  return ctx.passwords.hash(password)
}

/**
 * Returns whether no user exists. Locks until the transaction ends, so that only one of two concurrent signups is the
 * first.
 */
export async function isFirstUser(db: Db): Promise<boolean> {
  if (await anyUserExists(db)) return false
  await lockFirstSignUp(db)
  return !(await anyUserExists(db))
}

export async function findUserByIdentity(
  db: Db,
  provider: string,
  subject: string,
): Promise<UserRow | undefined> {
  const identity = await findIdentity(db, provider, subject)
  return identity && findUser(db, identity.user_id)
}

export const linkIdentity = (db: Db, userId: Id<'user'>, provider: string, profile: GitHubProfile) =>
  insertIdentity(db, { provider, subject: profile.subject, user_id: userId, login: profile.login })

import { type Insertable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import type { Db, Tables } from '../../tables.ts'

const withGitHub = (db: Db) =>
  db
    .selectFrom('users')
    .selectAll()
    .select((e) =>
      e
        .selectFrom('identities')
        .select('login')
        .whereRef('user_id', '=', 'users.id')
        .where('provider', '=', 'github')
        .limit(1)
        .as('github'),
    )

export const findUser = (db: Db, id: Id<'user'>) => withGitHub(db).where('id', '=', id).executeTakeFirst()

export const findUserByEmail = (db: Db, email: string) =>
  withGitHub(db).where('email', '=', email.toLowerCase()).executeTakeFirst()

export const insertUser = (db: Db, row: Insertable<Tables['users']>) =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((on) => on.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateUserRow = (db: Db, id: Id<'user'>, values: Updateable<Tables['users']>) =>
  db.updateTable('users').set(values).where('id', '=', id).execute()

export const anybodyThere = (db: Db) => db.selectFrom('users').select('id').limit(1).executeTakeFirst()

export const insertSession = (db: Db, row: Insertable<Tables['sessions']>) =>
  db.insertInto('sessions').values(row).execute()

export const listSessionRows = (db: Db, userId: Id<'user'>) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_seen_at', 'desc')
    .execute()

export const deleteSession = (db: Db, userId: Id<'user'>, id: Id<'session'>) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()

export const deleteSessions = (db: Db, userId: Id<'user'>, except?: Id<'session'>) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? 'ses_'))
    .execute()

export const firstMembership = (db: Db, userId: Id<'user'>) =>
  db
    .selectFrom('members')
    .select(['workspace_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export const setCurrentWorkspace = (db: Db, id: Id<'session'>, workspaceId: Id<'workspace'>) =>
  db.updateTable('sessions').set({ workspace_id: workspaceId }).where('id', '=', id).execute()

type Purpose = Tables['single_use_tokens']['purpose']

export const insertToken = (db: Db, row: Insertable<Tables['single_use_tokens']>) =>
  db.insertInto('single_use_tokens').values(row).execute()

/** Takes it out of the table: it serves once, whoever comes first. */
export const takeToken = (db: Db, tokenHash: string, purpose: Purpose) =>
  db
    .deleteFrom('single_use_tokens')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst()

export const findToken = (db: Db, tokenHash: string, purpose: Purpose) =>
  db
    .selectFrom('single_use_tokens')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()

export const deleteTokens = (db: Db, userId: Id<'user'>, purpose: Purpose) =>
  db.deleteFrom('single_use_tokens').where('user_id', '=', userId).where('purpose', '=', purpose).execute()

export const replaceRecoveryCodes = async (db: Db, userId: Id<'user'>, hashes: string[]) => {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length > 0)
    await db
      .insertInto('recovery_codes')
      .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
      .execute()
}

export const takeRecoveryCode = (db: Db, userId: Id<'user'>, codeHash: string) =>
  db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .returning('code_hash')
    .executeTakeFirst()

/** Marks a time step as used; nothing when it, or a later one, was used before. */
export const takeTimeStep = (db: Db, userId: Id<'user'>, step: number) =>
  db
    .updateTable('users')
    .set({ two_factor_last_step: step })
    .where('id', '=', userId)
    .where('two_factor_last_step', '<', step)
    .returning('id')
    .executeTakeFirst()

export const findIdentity = (db: Db, provider: string, subject: string) =>
  db
    .selectFrom('identities')
    .select('user_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()

export const insertIdentity = (db: Db, row: Insertable<Tables['identities']>) =>
  db
    .insertInto('identities')
    .values(row)
    .onConflict((on) => on.columns(['provider', 'subject']).doNothing())
    .execute()

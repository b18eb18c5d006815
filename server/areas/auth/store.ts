import { type Insertable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
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

/** Returns nothing if two-factor authentication is on, because a confirmed secret is never replaced. */
export const setTwoFactorSecret = (db: Db, id: Id<'user'>, sealed: string) =>
  db
    .updateTable('users')
    .set({ two_factor_secret: sealed })
    .where('id', '=', id)
    .where('two_factor_on_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Returns nothing if two-factor authentication is already on, or the secret has changed since the code was checked. */
export const setTwoFactorOn = (db: Db, id: Id<'user'>, sealed: string, at: Date) =>
  db
    .updateTable('users')
    .set({ two_factor_on_at: at })
    .where('id', '=', id)
    .where('two_factor_secret', '=', sealed)
    .where('two_factor_on_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

export const lockFirstSignUp = (db: Db) => sql`select pg_advisory_xact_lock(3, 0)`.execute(db)

export const anyUserExists = (db: Db) => db.selectFrom('users').select('id').limit(1).executeTakeFirst()

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

export const listSessionAddresses = (db: Db, email: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('sessions.address')
    .distinct()
    .where('users.email', '=', email.toLowerCase())
    .where('sessions.last_seen_at', '>', sql<Date>`now() - interval '30 days'`)
    .execute()

export const findRecentSession = (db: Db, userId: Id<'user'>, id: Id<'session'>) =>
  db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('created_at', '>', sql<Date>`now() - interval '10 minutes'`)
    .executeTakeFirst()

export const deleteSession = (db: Db, userId: Id<'user'>, id: Id<'session'>) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(['agent', 'address'])
    .executeTakeFirst()

export const deleteSessions = (db: Db, userId: Id<'user'>, except?: Id<'session'>) =>
  db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? 'ses_'))
    .execute()

export const deleteApiTokens = (db: Db, userId: Id<'user'>) =>
  db
    .deleteFrom('api_tokens')
    .where('user_id', '=', userId)
    .returning(['id', 'workspace_id', 'name'])
    .execute()

export const firstMembership = (db: Db, userId: Id<'user'>) =>
  db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['members.workspace_id', 'members.role', 'workspaces.locked_at', 'workspaces.shell_access'])
    .where('members.user_id', '=', userId)
    .orderBy('members.id')
    .limit(1)
    .executeTakeFirst()

export const setCurrentWorkspace = (db: Db, id: Id<'session'>, workspaceId: Id<'workspace'>) =>
  db.updateTable('sessions').set({ workspace_id: workspaceId }).where('id', '=', id).execute()

type Purpose = Tables['single_use_tokens']['purpose']

export const insertToken = (db: Db, row: Insertable<Tables['single_use_tokens']>) =>
  db.insertInto('single_use_tokens').values(row).execute()

/** Deletes and returns the token, so that it can be used only once. */
export const consumeToken = (db: Db, tokenHash: string, purpose: Purpose) =>
  db
    .deleteFrom('single_use_tokens')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst()

/**
 * Deletes and returns the link, with all other links of the same user and purpose, so that only one of them can be
 * used.
 */
export async function consumeLink(db: Db, tokenHash: string, purpose: Purpose) {
  const owner = db
    .selectFrom('single_use_tokens')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
  const taken = await db
    .deleteFrom('single_use_tokens')
    .where('user_id', '=', owner)
    .where('purpose', '=', purpose)
    .returning(['token_hash', 'user_id', 'mailed', 'browser_hash'])
    .execute()
  return taken.find((link) => link.token_hash === tokenHash)
}

export const findToken = (db: Db, tokenHash: string, purpose: Purpose) =>
  db
    .selectFrom('single_use_tokens')
    .select(['user_id', 'is_signup'])
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

export const consumeRecoveryCode = (db: Db, userId: Id<'user'>, codeHash: string) =>
  db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .returning('code_hash')
    .executeTakeFirst()

/** Marks a TOTP time step as used; returns nothing if it or a later one was used before. */
export const consumeTimeStep = (db: Db, userId: Id<'user'>, step: number) =>
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

export const insertTicket = (db: Db, row: Insertable<Tables['stream_tickets']>) =>
  db.insertInto('stream_tickets').values(row).execute()

/** Deletes and returns the ticket. A ticket with a path is valid only for that path. */
export const consumeTicketRow = (db: Db, ticketHash: string, path: string) =>
  db
    .deleteFrom('stream_tickets')
    .where('ticket_hash', '=', ticketHash)
    .where((e) => e.or([e('path', 'is', null), e('path', '=', path)]))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('token_hash')
    .executeTakeFirst()

export const findAppRow = (db: Db, url: string) =>
  db.selectFrom('github_apps').selectAll().where('url', '=', url).executeTakeFirst()

export const insertAppRow = (db: Db, row: Insertable<Tables['github_apps']>) =>
  db
    .insertInto('github_apps')
    .values(row)
    .onConflict((on) => on.column('url').doNothing())
    .returning('url')
    .executeTakeFirst()

export const deleteAppRow = (db: Db, url: string) =>
  db.deleteFrom('github_apps').where('url', '=', url).returning('name').executeTakeFirst()

/** Sets the end of the trial unless the user already had one, and returns the end that applies. */
export const startTrialOnce = async (db: Db, userId: Id<'user'>, until: Date): Promise<Date> =>
  (
    await sql<{ trial_ends_at: Date }>`update users set trial_ends_at = coalesce(trial_ends_at, ${until})
      where id = ${userId} returning trial_ends_at`.execute(db)
  ).rows[0]?.trial_ends_at ?? until

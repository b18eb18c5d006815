import { type Insertable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import { type Role } from '../../../contract/permissions.ts'
import type { Db, Tables } from '../../tables.ts'

export const insertToken = (db: Db, row: Insertable<Tables['import_tokens']>) =>
  db.insertInto('import_tokens').values(row).execute()

/** What a token stands for, and who made it with the role that they have by now. */
export interface Found {
  token_hash: string
  workspace_id: Id<'workspace'>
  name: string | null
  key_sealed: string
  public_key: string
  role: Role
  user_id: Id<'user'>
  user_name: string
  user_email: string
}

const found = (hash: string) => sql`
  select t.token_hash, t.workspace_id, t.name, t.key_sealed, t.public_key,
    m.role, u.id as user_id, u.name as user_name, u.email as user_email
  from import_tokens t
  join members m on m.workspace_id = t.workspace_id and m.user_id = t.actor_id
  join users u on u.id = m.user_id
  where t.token_hash = ${hash} and t.expires_at > now()`

export const findToken = async (db: Db, hash: string) =>
  (await sql<Found>`${found(hash)}`.execute(db)).rows[0]

/** Whoever comes second waits, and then finds nothing. */
export async function takeToken(db: Db, hash: string): Promise<Found | undefined> {
  const { rows } = await sql<Found>`${found(hash)} for update of t`.execute(db)
  await db.deleteFrom('import_tokens').where('token_hash', '=', hash).execute()
  return rows[0]
}

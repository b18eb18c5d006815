import { type Insertable, type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { type Role } from '../../../contract/shared/permissions.ts'
import type { Db, Tables, Trx } from '../../tables.ts'

export const insertImportToken = (db: Db, row: Insertable<Tables['import_tokens']>) =>
  db.insertInto('import_tokens').values(row).execute()

export interface ImportTokenDetails {
  token_hash: string
  workspace_id: Id<'workspace'>
  name: string | null
  server_id: Id<'server'> | null
  key_sealed: string | null
  public_key: string | null
  /** User who created the token; null if Slipway created it. */
  actor_id: Id<'user'> | null
  role: Role | null
  user_name: string | null
  user_email: string | null
}

const selectValidToken = (hash: string) => sql`
  select t.token_hash, t.workspace_id, t.name, t.server_id, t.key_sealed,
    coalesce(s.public_key, t.public_key) as public_key,
    t.actor_id, case when u.locked_at is null then m.role end as role, u.name as user_name, u.email as user_email
  from import_tokens t
  left join members m on m.workspace_id = t.workspace_id and m.user_id = t.actor_id
  left join users u on u.id = m.user_id
  left join servers s on s.workspace_id = t.workspace_id and s.id = t.server_id
  where t.token_hash = ${hash} and t.expires_at > now()
    and (t.server_id is null
      or s.status in ('pending', 'provisioning', 'failed') and cardinality(s.host_keys) = 0)`

export const findImportToken = async (db: Db, hash: string) =>
  (await sql<ImportTokenDetails>`${selectValidToken(hash)}`.execute(db)).rows[0]

/** Locks and deletes the token, so that a concurrent request finds it used. */
export async function markTokenUsed(db: Db, hash: string): Promise<ImportTokenDetails | undefined> {
  const { rows } = await sql<ImportTokenDetails>`${selectValidToken(hash)} for update of t`.execute(db)
  await db.deleteFrom('import_tokens').where('token_hash', '=', hash).execute()
  return rows[0]
}

type AtCloud = Pick<
  Selectable<Tables['cloud_servers']>,
  'cloud_token_id' | 'provider' | 'cloud_id' | 'address' | 'step'
>

export const findCloudOfServer = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
): Promise<AtCloud | undefined> =>
  db
    .selectFrom('cloud_servers')
    .select(['cloud_token_id', 'provider', 'cloud_id', 'address', 'step'])
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .executeTakeFirst()

export async function nextServerName(trx: Trx, workspaceId: Id<'workspace'>): Promise<string> {
  const rows = await trx
    .selectFrom('servers')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('name', 'like', 'server-%')
    .execute()
  const taken = new Set(rows.map(({ name }) => name))
  let number = 1
  while (taken.has(`server-${number}`)) number++
  return `server-${number}`
}

import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { TokenLimit } from '../../route.ts'
import type { Db, Tables } from '../../tables.ts'
import { withinLimit } from '../api-tokens/token-limit.ts'
import type { ServerRow } from '../servers/server.ts'

export type DomainRow = Selectable<Tables['domains']>
export type CertificateRow = Selectable<Tables['certificates']>
export type CertificateChanges = Omit<UpdateObject<Tables, 'certificates'>, 'id' | 'workspace_id' | 'host'>

export const listDomainRows = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .selectFrom('domains')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .orderBy('id')
    .execute()

export const insertDomain = (db: Db, row: Insertable<Tables['domains']>): Promise<DomainRow> =>
  db.insertInto('domains').values(row).returningAll().executeTakeFirstOrThrow()

export const deleteDomainRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'domain'>) =>
  db.deleteFrom('domains').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export const listCertificates = (db: Db, workspaceId: Id<'workspace'>, hosts: string[]) =>
  db
    .selectFrom('certificates')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('host', '=', sql<string>`any(${hosts})`)
    .execute()

export const updateCertificate = (
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, kind }: Pick<CertificateRow, 'id' | 'kind'>,
  changes: CertificateChanges,
) =>
  db
    .updateTable('certificates')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .returningAll()
    .executeTakeFirst()

export async function lockCertificate(
  db: Db,
  row: Insertable<Tables['certificates']>,
): Promise<CertificateRow> {
  const { workspace_id: workspaceId, host } = row
  await db
    .insertInto('certificates')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'host']).doNothing())
    .execute()
  return db
    .selectFrom('certificates')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('host', '=', host)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export const listDomainServers = async (
  db: Db,
  workspaceId: Id<'workspace'>,
  host: string,
  { https = true } = {},
): Promise<ServerRow[]> =>
  db
    .selectFrom('servers as s')
    .selectAll('s')
    .where('s.workspace_id', '=', workspaceId)
    .where((on) =>
      on.exists(
        on
          .selectFrom('applications as a')
          .innerJoin('domains as d', 'd.application_id', 'a.id')
          .select('a.id')
          .whereRef('a.workspace_id', '=', 's.workspace_id')
          .whereRef('a.server_id', '=', 's.id')
          .where('a.deleting_at', 'is', null)
          .where('d.host', '=', host)
          .$if(https, (query) => query.where('d.https', '=', true)),
      ),
    )
    .orderBy('s.id')
    .execute()

export const listApplicationsWithHost = (db: Db, workspaceId: Id<'workspace'>, host: string) =>
  db
    .selectFrom('applications as a')
    .innerJoin('domains as d', 'd.application_id', 'a.id')
    .select(['a.id', 'a.workspace_id', 'a.server_id'])
    .distinct()
    .where('a.workspace_id', '=', workspaceId)
    .where('d.host', '=', host)
    .where('a.deleting_at', 'is', null)
    .execute()

export const isUsedOutside = async (db: Db, workspaceId: Id<'workspace'>, host: string, limit: TokenLimit) =>
  (
    await sql`
      select from domains d join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id
      where d.workspace_id = ${workspaceId} and d.host = ${host} and (${withinLimit(limit, 'a')}) is not true
      limit 1`.execute(db)
  ).rows.length > 0

export const lockOrders = (db: Db, workspaceId: Id<'workspace'>) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`acme-orders:${workspaceId}`}, 0))`.execute(db)

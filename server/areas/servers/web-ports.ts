import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Trx } from '../../tables.ts'
import type { ServerRow } from './server.ts'

export const lockRoutes = (trx: Trx, { id }: Pick<ServerRow, 'id'>) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`routes:${id}`}, 0))`.execute(trx)

export interface PublishedPort {
  host: string
  source: number
  application_id: Id<'application'>
  name: string
}

/** Returns those of `ports` that applications on the server publish, because the proxy cannot listen there. */
export async function listPublishedPortsOf(
  db: Db,
  { id, workspace_id }: Pick<ServerRow, 'id' | 'workspace_id'>,
  ports: number[],
): Promise<PublishedPort[]> {
  const { rows } = await sql<PublishedPort>`
    select p.host, p.source, p.application_id, a.name from published_ports p
    join applications a on a.workspace_id = p.workspace_id and a.id = p.application_id and a.deleting_at is null
    where a.workspace_id = ${workspace_id} and a.server_id = ${id} and p.source = any(${ports})`.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Trx } from '../../tables.ts'
import type { ServerRow } from './store.ts'

/** Identifies a machine, which several workspaces may have as a server. */
export type MachineRef = Pick<ServerRow, 'id' | 'workspace_id' | 'machine'>

/** Locks the routes and ports of a machine until the transaction ends. */
export const lockRoutes = (trx: Trx, { id, machine }: MachineRef) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`routes:${machine ?? id}`}, 0))`.execute(trx)

export const isSameMachine = (alias: string, { id, machine }: MachineRef) => sql<boolean>`
  (${sql.ref(`${alias}.id`)} = ${id} or ${sql.ref(`${alias}.machine`)} = ${machine})`

export type ListeningServer = Pick<
  ServerRow,
  | 'id'
  | 'name'
  | 'workspace_id'
  | 'kind'
  | 'port'
  | 'http_port'
  | 'https_port'
  | 'http_port_used'
  | 'https_port_used'
>

/** Lists all servers on the machine with their ports. */
export async function listServersOnMachine(db: Db, server: MachineRef): Promise<ListeningServer[]> {
  const { rows } = await sql<ListeningServer>`
    select id, name, workspace_id, kind, port, http_port, https_port, http_port_used, https_port_used
    from servers s where ${isSameMachine('s', server)} order by id`.execute(db)
  return rows
}

export interface PublishedPort {
  host: string
  source: number
  workspace_id: Id<'workspace'>
  application_id: Id<'application'>
  name: string
}

/** Lists which of these ports applications publish. Applications in deletion do not count. */
export async function listMachinePorts(
  db: Db,
  server: MachineRef,
  ports: number[],
): Promise<PublishedPort[]> {
  const { rows } = await sql<PublishedPort>`
    select p.host, p.source, p.workspace_id, p.application_id, a.name from published_ports p
    join applications a on a.workspace_id = p.workspace_id and a.id = p.application_id and a.deleting_at is null
    join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id
    where p.source = any(${ports}) and ${isSameMachine('s', server)}`.execute(db)
  return rows
}

export async function listOtherServersOnMachine(db: Db, machine: string, id: Id<'server'>) {
  const { rows } = await sql<ServerRow>`
    select * from servers where machine = ${machine} and id <> ${id} order by last_seen_at desc nulls last`.execute(
    db,
  )
  return rows
}

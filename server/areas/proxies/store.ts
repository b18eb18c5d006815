import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'

/** The proxy serves all workspaces of its machine, so rows are found by machine. */

export const listRoutedApplications = (db: Db, machine: string) =>
  db
    .selectFrom('applications as a')
    .innerJoin('servers as s', 's.id', 'a.server_id')
    .leftJoin('releases as r', 'r.id', 'a.release_id')
    .select([
      'a.id',
      'a.server_id',
      'a.maintenance',
      // Replicas of a compose file are known once it is deployed.
      sql<number>`case when a.compose_sealed is null then a.replicas
        else coalesce((r.config->>'replicas')::int, 1) end`.as('replicas'),
    ])
    .where('s.machine', '=', machine)
    .where('a.deleting_at', 'is', null)
    .orderBy('a.id')
    .execute()

/** Instances with a proxy slot, with the health check of their release; the newest last. */
export const listMachineInstances = (db: Db, machine: string) =>
  db
    .selectFrom('instances as i')
    .innerJoin('servers as s', 's.id', 'i.server_id')
    .innerJoin('releases as r', 'r.id', 'i.release_id')
    .select(['i.id', 'i.application_id', 'i.service', 'i.address', 'i.port', 'i.slot', 'i.state', 'r.config'])
    .where('s.machine', '=', machine)
    .where('i.state', 'in', ['serving', 'held', 'draining'])
    .where('i.slot', 'is not', null)
    .where('i.address', 'is not', null)
    .$narrowType<{ address: string }>()
    .orderBy('r.number')
    .orderBy('i.id')
    .execute()

/** Usable certificates of hosts on the machine; the one with the latest expiry first. */
export const listMachineCertificates = (db: Db, machine: string) =>
  db
    .selectFrom('certificates as c')
    .select(['c.id', 'c.workspace_id', 'c.host', 'c.chain', 'c.key_sealed'])
    .where('c.chain', 'is not', null)
    .where('c.key_sealed', 'is not', null)
    .where((build) =>
      build.exists(
        build
          .selectFrom('domains as d')
          .innerJoin('applications as a', 'a.id', 'd.application_id')
          .innerJoin('servers as s', 's.id', 'a.server_id')
          .select('d.id')
          .whereRef('d.workspace_id', '=', 'c.workspace_id')
          .whereRef('d.host', '=', 'c.host')
          .where('d.https', '=', true)
          .where('a.deleting_at', 'is', null)
          .where('s.machine', '=', machine),
      ),
    )
    .orderBy('c.host')
    .orderBy('c.expires_at', 'desc')
    .execute()

export const listMachineChallenges = (db: Db, machine: string) =>
  db
    .selectFrom('acme_challenges as c')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .select(['c.host', 'c.token', 'c.key_authorization as keyAuthorization'])
    .where('s.machine', '=', machine)
    .where('c.expires_at', '>', sql<Date>`now()`)
    .execute()

/** Setup may replace the proxy. */
export async function isBeingSetUp(db: Db, machine: string): Promise<boolean> {
  const found = await db
    .selectFrom('setups as u')
    .innerJoin('servers as s', 's.id', 'u.server_id')
    .select('u.id')
    .where('s.machine', '=', machine)
    .where('u.status', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export interface ProxyServer {
  id: Id<'server'>
  workspace_id: Id<'workspace'>
  proxy_error: string | null
  ports: number[]
}

/** The server and all others of its machine, with the ports of each. */
export async function listProxyServers(
  db: Db,
  { id, machine }: { id: Id<'server'>; machine: string | null },
): Promise<ProxyServer[]> {
  const { rows } = await sql<ProxyServer>`
    select s.id, s.workspace_id, s.proxy_error, array[s.http_port, s.https_port] || array(
      select distinct p.source from published_ports p join applications a on a.id = p.application_id
      where a.server_id = s.id and a.deleting_at is null order by p.source) as ports
    from servers s where s.id = ${id} or s.machine = ${machine} order by s.id`.execute(db)
  return rows
}

export const setProxyError = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'server'>,
  proxy_error: string | null,
) =>
  db
    .updateTable('servers')
    .set({ proxy_error })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

/** Reachable servers with a proxy error and no pending sync. */
export async function listOutOfSync(db: Db): Promise<Pick<ProxyServer, 'id' | 'workspace_id'>[]> {
  const { rows } = await sql<Pick<ProxyServer, 'id' | 'workspace_id'>>`
    select id, workspace_id from servers s
    where proxy_error is not null and status = 'ready' and not exists (
      select from jobs j where j.key = 'sync-proxy:' || s.id and j.state in ('queued', 'running'))
    order by id`.execute(db)
  return rows
}

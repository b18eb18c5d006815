import { sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import type { Db } from '../../tables.ts'

/** The proxy of a machine serves all workspaces that have it as a server, so these are found by the machine. */

/** With where the proxy listens for each, those that came first before the others. */
export const listServersOf = (db: Db, machine: string) =>
  db
    .selectFrom('servers')
    .select((of) => [
      'id',
      of.fn.coalesce('http_port_used', 'http_port').as('http_port'),
      of.fn.coalesce('https_port_used', 'https_port').as('https_port'),
      of('http_port_used', 'is not', null).as('is_set_up'),
      of.fn.coalesce('machine_since', 'created_at').as('since'),
    ])
    .where('machine', '=', machine)
    .orderBy('since')
    .orderBy('id')
    .execute()

/** When a route was claimed on the machine: not before its server was known to be that. */
const since = (created: 'd.created_at' | 'p.created_at') =>
  sql<Date>`greatest(${sql.ref(created)}, s.machine_since)`

export const listApplicationsOf = (db: Db, machine: string) =>
  db
    .selectFrom('applications as a')
    .innerJoin('servers as s', 's.id', 'a.server_id')
    .select(['a.id', 'a.server_id', 'a.replicas', 'a.maintenance'])
    .where('s.machine', '=', machine)
    .where('a.deleting_at', 'is', null)
    .orderBy('a.id')
    .execute()

/** Those that have a place, with how the release that each was made of is asked whether it is well; the newest last. */
export const listInstancesOf = (db: Db, machine: string) =>
  db
    .selectFrom('instances as i')
    .innerJoin('servers as s', 's.id', 'i.server_id')
    .innerJoin('releases as r', 'r.id', 'i.release_id')
    .select(['i.id', 'i.application_id', 'i.address', 'i.port', 'i.slot', 'i.state', 'r.config'])
    .where('s.machine', '=', machine)
    .where('i.state', 'in', ['serving', 'draining'])
    .where('i.slot', 'is not', null)
    .orderBy('r.number')
    .orderBy('i.id')
    .execute()

export const listDomainsOf = (db: Db, machine: string) =>
  db
    .selectFrom('domains as d')
    .innerJoin('applications as a', 'a.id', 'd.application_id')
    .innerJoin('servers as s', 's.id', 'a.server_id')
    .select((of) => [
      'd.id',
      'd.workspace_id',
      'd.application_id',
      'd.host',
      'd.path',
      'd.port',
      'd.https',
      of.fn.coalesce('s.https_port_used', 's.https_port').as('https_port'),
    ])
    .where('s.machine', '=', machine)
    .where('a.deleting_at', 'is', null)
    .orderBy(since('d.created_at'))
    .orderBy('d.id')
    .execute()

export const listPortsOf = (db: Db, machine: string) =>
  db
    .selectFrom('published_ports as p')
    .innerJoin('applications as a', 'a.id', 'p.application_id')
    .innerJoin('servers as s', 's.id', 'a.server_id')
    .select(['p.application_id', 'p.source', 'p.target', since('p.created_at').as('since')])
    .where('s.machine', '=', machine)
    .where('a.deleting_at', 'is', null)
    .orderBy('p.source')
    .orderBy('since')
    .orderBy('p.id')
    .execute()

/** Those that can be used, of names that lead to the machine; the one that is good for longest first. */
export const listCertificatesOf = (db: Db, machine: string) =>
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

/** Whether a set-up of the machine is under way, which may replace the proxy. */
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

export interface Follower {
  id: Id<'server'>
  workspace_id: Id<'workspace'>
  proxy_error: string | null
  ports: number[]
}

/** A server and all others of its machine, with the ports that the proxy listens on for each. */
export async function listFollowers(
  db: Db,
  { id, machine }: { id: Id<'server'>; machine: string | null },
): Promise<Follower[]> {
  const { rows } = await sql<Follower>`
    select s.id, s.workspace_id, s.proxy_error, array[s.http_port, s.https_port] || array(
      select p.source from published_ports p join applications a on a.id = p.application_id
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

/** Those that are reached, and that nobody is about to try again. */
export async function listNotFollowing(db: Db): Promise<Pick<Follower, 'id' | 'workspace_id'>[]> {
  const { rows } = await sql<Pick<Follower, 'id' | 'workspace_id'>>`
    select id, workspace_id from servers s
    where proxy_error is not null and status = 'ready' and not exists (
      select from jobs j where j.key = 'sync-proxy:' || s.id and j.state in ('queued', 'running'))
    order by id`.execute(db)
  return rows
}

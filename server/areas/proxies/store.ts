import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import type { ServerRow } from '../servers/server.ts'

export const listRoutedApplications = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('applications as a')
    .leftJoin('releases as r', 'r.id', 'a.release_id')
    .select([
      'a.id',
      'a.server_id',
      'a.maintenance',
      // Replicas of a compose file are known once it is deployed.
      sql<number>`case when a.compose_sealed is null then a.replicas
        else coalesce((r.config->>'replicas')::int, 1) end`.as('replicas'),
    ])
    .where('a.server_id', '=', serverId)
    .where('a.deleting_at', 'is', null)
    .orderBy('a.id')
    .execute()

/** Instances with a proxy slot, with the health check of their release; the newest last. */
export const listRoutedInstances = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('instances as i')
    .innerJoin('releases as r', 'r.id', 'i.release_id')
    .select(['i.id', 'i.application_id', 'i.service', 'i.address', 'i.port', 'i.slot', 'i.state', 'r.config'])
    .where('i.server_id', '=', serverId)
    .where('i.state', 'in', ['serving', 'held', 'draining'])
    .where('i.slot', 'is not', null)
    .where('i.address', 'is not', null)
    .$narrowType<{ address: string }>()
    .orderBy('r.number')
    .orderBy('i.id')
    .execute()

export const listRoutedDomains = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('domains as d')
    .innerJoin('applications as a', 'a.id', 'd.application_id')
    // Only names that the workspace holds are routed.
    .innerJoin('host_names as n', (on) =>
      on.onRef('n.workspace_id', '=', 'd.workspace_id').onRef('n.host', '=', 'd.host'),
    )
    .select(['d.application_id', 'd.service', 'd.host', 'd.path', 'd.port', 'd.https'])
    .where('a.server_id', '=', serverId)
    .where('a.deleting_at', 'is', null)
    .orderBy('d.id')
    .execute()

export const listRoutedPorts = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('published_ports as p')
    .innerJoin('applications as a', 'a.id', 'p.application_id')
    .select(['p.application_id', 'p.service', 'p.host', 'p.source', 'p.target'])
    .where('a.server_id', '=', serverId)
    .where('a.deleting_at', 'is', null)
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute()

/** Usable certificates of hosts on the server; the one with the latest expiry first. */
export const listRoutedCertificates = (db: Db, serverId: Id<'server'>) =>
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
          .select('d.id')
          .whereRef('d.workspace_id', '=', 'c.workspace_id')
          .whereRef('d.host', '=', 'c.host')
          .where('d.https', '=', true)
          .where('a.deleting_at', 'is', null)
          .where('a.server_id', '=', serverId),
      ),
    )
    .orderBy('c.host')
    .orderBy('c.expires_at', 'desc')
    .execute()

export const listPendingChallenges = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('acme_challenges as c')
    .select(['c.host', 'c.token', 'c.key_authorization as keyAuthorization'])
    .where('c.server_id', '=', serverId)
    .where('c.expires_at', '>', sql<Date>`now()`)
    .execute()

/** Setup may replace the proxy. */
export async function isBeingSetUp(db: Db, serverId: Id<'server'>): Promise<boolean> {
  const setup = await db
    .selectFrom('setups as u')
    .select('u.id')
    .where('u.server_id', '=', serverId)
    .where('u.status', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return setup !== undefined
}

export async function findProxyStatus(db: Db, serverId: Id<'server'>) {
  const { rows } = await sql<{ proxy_error: string | null; ports: number[] }>`
    select s.proxy_error, array[s.http_port, s.https_port] || array(
      select distinct p.source from published_ports p join applications a on a.id = p.application_id
      where a.server_id = s.id and a.deleting_at is null order by p.source) as ports
    from servers s where s.id = ${serverId}`.execute(db)
  return rows[0]
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

export async function listOutOfSync(db: Db): Promise<Pick<ServerRow, 'id' | 'workspace_id'>[]> {
  const { rows } = await sql<Pick<ServerRow, 'id' | 'workspace_id'>>`
    select id, workspace_id from servers s
    where proxy_error is not null and status = 'ready' and not exists (
      select from jobs j where j.key = 'sync-proxy:' || s.id and j.state in ('queued', 'running'))
    order by id`.execute(db)
  return rows
}

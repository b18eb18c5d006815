import { type RawBuilder, sql } from 'kysely'
import type { Reply } from '../../../contract/endpoint.ts'
import type { listResources } from '../../../contract/home.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'
import type { MuteSettings } from '../alerts/maintenance-windows.ts'

interface Counts {
  servers: number
  applications: number
  deploys: number
}

export async function readCounts(db: Db, workspaceId: Id<'workspace'>, since: Date): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*) from servers where workspace_id = ${workspaceId})::integer as servers,
      (select count(*) from applications
        where workspace_id = ${workspaceId} and deleting_at is null)::integer as applications,
      (select count(*) from deployments d
        join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
        where d.workspace_id = ${workspaceId} and d.created_at >= ${since})::integer as deploys`.execute(db)
  return rows[0] ?? { servers: 0, applications: 0, deploys: 0 }
}

type Checklist = Record<'server' | 'application' | 'domain' | 'team' | 'alerts', boolean>

export async function readChecklist(db: Db, workspaceId: Id<'workspace'>): Promise<Checklist> {
  const has = (from: RawBuilder<unknown>) =>
    sql`exists (select from ${from} and o.workspace_id = ${workspaceId})`
  const { rows } = await sql<Checklist>`
    select
      ${has(sql`servers o where true`)} as server,
      ${has(sql`applications o where o.release_id is not null`)} as application,
      ${has(sql`domains o where not o.generated`)} as domain,
      (select count(*) > 1 from members where workspace_id = ${workspaceId})
        or ${has(sql`invites o where true`)} as team,
      ${has(sql`notifications o where true`)} as alerts`.execute(db)
  return rows[0] ?? { server: false, application: false, domain: false, team: false, alerts: false }
}

type ResourceNames = Reply<typeof listResources>

const mostNames = 2_000

export async function listResourceNames(db: Db, workspaceId: Id<'workspace'>): Promise<ResourceNames> {
  const names = (columns: RawBuilder<unknown>, from: RawBuilder<unknown>) => sql`
    (select coalesce(json_agg(named order by lower(named.name), named.id), '[]') from (
      select ${columns} from ${from} and o.workspace_id = ${workspaceId} order by 2, 1 limit ${mostNames}) as named)`
  const { rows } = await sql<ResourceNames>`
    select
      ${names(sql`o.id, o.name`, sql`servers o where true`)} as servers,
      ${names(
        sql`o.id, o.name, s.name as server, o.logo, o.image`,
        sql`applications o join servers s on s.workspace_id = o.workspace_id and s.id = o.server_id
          where o.deleting_at is null`,
      )} as applications,
      ${names(sql`o.id, o.name`, sql`projects o where true`)} as projects,
      ${names(
        sql`o.id, o.host || case when o.path = '/' then '' else o.path end as name, o.application_id`,
        sql`domains o join applications a on a.workspace_id = o.workspace_id and a.id = o.application_id
          where a.deleting_at is null`,
      )} as domains,
      ${names(sql`o.id, o.name, o.server_id`, sql`containers o where true`)} as containers,
      ${names(sql`o.id, o.name`, sql`notifications o where true`)} as channels`.execute(db)
  return rows[0] ?? { servers: [], applications: [], projects: [], domains: [], containers: [], channels: [] }
}

interface LostServer {
  id: Id<'server'>
  name: string
  status: Tables['servers']['status']
  reason: string | null
  /** Whether the cloud provider did not create the server, or the server has not connected yet. */
  creation_failed: boolean
  since: Date
}

export async function listFailedServers(db: Db, workspaceId: Id<'workspace'>): Promise<LostServer[]> {
  const { rows } = await sql<LostServer>`
    select s.id, s.name, s.status, s.reason,
      exists (select from cloud_servers c where c.workspace_id = s.workspace_id and c.server_id = s.id
        and c.step is not null) as creation_failed,
      coalesce(
        (select max(e.created_at) from events e where e.workspace_id = s.workspace_id and e.target_id = s.id
          and e.type in ('server.unreachable', 'server.setup_failed', 'server.creation_failed', 'server.destroying')),
        s.last_seen_at, s.created_at) as since
    from servers s where s.workspace_id = ${workspaceId}
      and (s.status in ('unreachable', 'failed') or (s.status = 'deleting' and s.reason is not null))`.execute(
    db,
  )
  return rows
}

interface FailedDeployment {
  id: Id<'deployment'>
  application_id: Id<'application'>
  name: string
  errors_sealed: string | null
  since: Date
}

export async function listFailedDeployments(
  db: Db,
  workspaceId: Id<'workspace'>,
  since: Date,
): Promise<FailedDeployment[]> {
  const { rows } = await sql<FailedDeployment>`
    select d.id, a.id as application_id, a.name, d.errors_sealed, coalesce(d.finished_at, d.created_at) as since
    from applications a
    cross join lateral (
      select * from deployments d where d.workspace_id = a.workspace_id and d.application_id = a.id
        and d.status <> 'cancelled' order by d.id desc limit 1) d
    where a.workspace_id = ${workspaceId} and a.deleting_at is null
      and d.status = 'failed' and d.created_at >= ${since}`.execute(db)
  return rows
}

export async function listUnhealthyApplications(
  db: Db,
  workspaceId: Id<'workspace'>,
): Promise<{ id: Id<'application'>; since: Date }[]> {
  const { rows } = await sql<{ id: Id<'application'>; since: Date }>`
    select a.id, coalesce(u.finished_at, u.created_at, a.created_at) as since
    from applications a
    -- One application at a time, because the planner may choose a slow join while the tables have no statistics.
    cross join lateral (
      select max(c.finished_at) as finished_at, max(i.created_at) as created_at,
        coalesce(bool_or(c.id is null or c.state <> 'running' or c.health = 'unhealthy' or c.restarts > 0), count(*) = 0) as unhealthy
      from instances i
      left join containers c on c.workspace_id = i.workspace_id and c.server_id = i.server_id and c.id = i.container_id
      where i.workspace_id = a.workspace_id and i.application_id = a.id and i.state = 'serving') u
    where a.workspace_id = ${workspaceId} and a.deleting_at is null and a.wanted = 'running'
      and a.release_id is not null and u.unhealthy`.execute(db)
  return rows
}

interface FailedCertificate {
  host: string
  error: string | null
  application_id: Id<'application'>
  name: string
  since: Date
}

export async function listFailedCertificates(
  db: Db,
  workspaceId: Id<'workspace'>,
): Promise<FailedCertificate[]> {
  const { rows } = await sql<FailedCertificate>`
    select distinct on (t.host) t.host, t.error, a.id as application_id, a.name, t.created_at as since
    from certificates t
    join domains d on d.workspace_id = t.workspace_id and d.host = t.host
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
    where t.workspace_id = ${workspaceId} and t.status = 'failed'
    order by t.host, a.id`.execute(db)
  return rows
}

interface ExpiringCertificate extends Omit<FailedCertificate, 'error' | 'since'> {
  expires_at: Date
}

/**
 * Lists certificates that expire soon. Let’s Encrypt certificates are renewed weeks before, so these were uploaded or
 * cannot be renewed.
 */
export async function listExpiringCertificates(
  db: Db,
  workspaceId: Id<'workspace'>,
  now: Date,
): Promise<ExpiringCertificate[]> {
  const { rows } = await sql<ExpiringCertificate>`
    select distinct on (t.host) t.host, a.id as application_id, a.name, t.expires_at
    from certificates t
    join domains d on d.workspace_id = t.workspace_id and d.host = t.host
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
    where t.workspace_id = ${workspaceId} and t.status <> 'failed'
      and t.expires_at < ${now}::timestamptz + least(interval '7 days', (t.expires_at - t.valid_from) / 4)
      and not exists (select from incidents i where i.workspace_id = t.workspace_id and i.kind = 'certificate_expiry'
        and i.subject_name = t.host and i.state = 'firing')
    order by t.host, a.id`.execute(db)
  return rows
}

interface FullDisk {
  id: Id<'server'>
  name: string
  share: number
  since: Date
}

export async function listFullDisks(db: Db, workspaceId: Id<'workspace'>): Promise<FullDisk[]> {
  const { rows } = await sql<FullDisk>`
    select s.id, s.name, m.at as since, (m.disk_used / m.disk_total::double precision) as share
    from servers s
    cross join lateral (
      select m.at, m.disk_used, m.disk_total from server_samples m
      where m.workspace_id = s.workspace_id and m.server_id = s.id and m.at > now() - interval '10 minutes'
      order by m.at desc limit 1) m
    where s.workspace_id = ${workspaceId} and m.disk_total > 0 and m.disk_used >= 0.9 * m.disk_total
      and not exists (select from incidents i where i.workspace_id = s.workspace_id and i.kind = 'disk'
        and i.server_id = s.id and i.state = 'firing')`.execute(db)
  return rows
}

interface FiringIncident
  extends
    MuteSettings,
    Pick<
      Tables['incidents'],
      'id' | 'kind' | 'severity' | 'summary' | 'subject_name' | 'server_id' | 'application_id'
    > {
  since: Date
}

export async function listFiringIncidents(
  db: Db,
  workspaceId: Id<'workspace'>,
  now: Date,
): Promise<FiringIncident[]> {
  const { rows } = await sql<FiringIncident>`
    select i.id, i.kind, i.severity, i.summary, i.subject_name, i.server_id, i.application_id,
      coalesce(i.fired_at, i.began_at) as since, a.muted_until, a.windows
    from incidents i join alerts a on a.workspace_id = i.workspace_id and a.id = i.alert_id
    where i.workspace_id = ${workspaceId} and i.state = 'firing'
      and (i.muted_until is null or i.muted_until <= ${now})`.execute(db)
  return rows
}

interface PausedChannel {
  id: Id<'notification'>
  name: string
  reason: string | null
  since: Date
}

export async function listPausedChannels(db: Db, workspaceId: Id<'workspace'>): Promise<PausedChannel[]> {
  const { rows } = await sql<PausedChannel>`
    select id, name, reason, paused_at as since from notifications
    where workspace_id = ${workspaceId} and enabled and paused_at is not null`.execute(db)
  return rows
}

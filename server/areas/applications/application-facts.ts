import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'
import { containersAreLive } from '../containers/live.ts'

export interface InstanceFacts {
  id: Id<'instance'>
  service: string
  state: Tables['instances']['state']
  completes: boolean
  name: string | null
  container: Tables['containers']['state'] | null
  health: Tables['containers']['health']
  exit_code: number | null
  restarts: number | null
  /** Whether Docker started the container within the last two minutes. */
  recent: boolean | null
}

export interface ApplicationFacts {
  id: Id<'application'>
  server_name: string
  project: { id: Id<'project'>; name: string } | null
  server_status: Tables['servers']['status']
  server_reason: string | null
  http_port: number
  https_port: number
  live: boolean
  was_live: boolean
  release_number: number | null
  release_image: string | null
  release_commit: Selectable<Tables['releases']>['commit']
  repository: { name: string; branch: string } | null
  favicon_key: string | null
  is_older: boolean
  replicas: number | null
  instances: InstanceFacts[]
  routed: string[]
  /** Sum over all running containers. */
  usage: { cpu: number; memory_used: number } | null
  crashed: string | null
  deployment: {
    id: Id<'deployment'>
    type: string
    status: string
    cancelling: boolean
    crashed: boolean
    actor: { name: string }
    created_at: string
  } | null
  address: Omit<DomainFacts, 'application_id' | 'service'> | null
  proxy_error: string | null
}

export async function listApplicationFacts(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<ApplicationFacts[]> {
  const { rows } = await sql<ApplicationFacts>`
    select a.id, s.name as server_name, s.status as server_status, s.reason as server_reason,
      coalesce(s.http_port_used, s.http_port) as http_port,
      coalesce(s.https_port_used, s.https_port) as https_port, coalesce(${containersAreLive('s')}, false) as live, r.number as release_number,
      r.image as release_image, r.commit as release_commit, (${project}) as project, (${repository}) as repository,
      exists (select from releases o where o.application_id = a.id and o.live_at is not null and o.number > r.number) as is_older,
      (select f.key from favicons f where f.workspace_id = a.workspace_id and f.application_id = a.id) as favicon_key,
      (r.config->>'replicas')::integer as replicas,
      exists (select from releases o where o.application_id = a.id and o.live_at is not null) as was_live,
      (${instances}) as instances, (${routed}) as routed, (${usage}) as usage, (${crashed}) as crashed, (${deployment}) as deployment, (${address}) as address,
      case when (${routed}) <> '{}' then s.proxy_error end as proxy_error
    from applications a
    join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id
    left join releases r on r.workspace_id = a.workspace_id and r.id = a.release_id
    where a.workspace_id = ${workspaceId} and a.id = any(${[...ids]})`.execute(db)
  return rows
}

export interface DomainFacts {
  application_id: Id<'application'>
  service: string
  host: string
  path: string
  https: boolean
  certificate: { status: string; expires_at: string | null } | null
}

export async function listKnownDomains(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<DomainFacts[]> {
  const { rows } = await sql<DomainFacts>`
    select d.application_id, d.service, d.host, d.path, d.https, (${certificate}) as certificate
    from domains d where d.workspace_id = ${workspaceId} and d.application_id = any(${[...ids]}) and ${isHeld}
    order by d.generated, d.created_at, d.id`.execute(db)
  return rows
}

const isHeld = sql`exists (
  select from host_names n where n.workspace_id = d.workspace_id and n.host = d.host)`

const project = sql`
  select jsonb_build_object('id', p.id, 'name', p.name) from projects p
  where p.workspace_id = a.workspace_id and p.id = a.project_id`

const repository = sql`
  select jsonb_build_object('name', o.repository, 'branch', o.branch) from sources o
  where o.workspace_id = a.workspace_id and o.application_id = a.id`

const certificate = sql`
  select jsonb_build_object('status', t.status, 'expires_at', t.expires_at) from certificates t
  where t.workspace_id = d.workspace_id and t.host = d.host`

const instances = sql`
  select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'service', i.service, 'state', i.state, 'name', c.name,
    'container', c.state, 'health', c.health, 'exit_code', c.exit_code,
    'restarts', c.restarts, 'recent', c.started_at > now() - interval '2 minutes',
    'completes', coalesce(m.config->'services' @> jsonb_build_array(jsonb_build_object('name', i.service, 'completes', true)), false))
    order by i.service, i.replica, i.id), '[]')
  from instances i
  join releases m on m.workspace_id = i.workspace_id and m.id = i.release_id
  left join containers c on c.workspace_id = i.workspace_id and c.server_id = i.server_id and c.id = i.container_id
  where i.workspace_id = a.workspace_id and i.application_id = a.id`

const usage = sql`
  select jsonb_build_object('cpu', sum(coalesce(c.cpu, 0)), 'memory_used', sum(c.memory_used))
  from instances i
  join containers c on c.workspace_id = i.workspace_id and c.server_id = i.server_id and c.id = i.container_id
  where i.workspace_id = a.workspace_id and i.application_id = a.id and c.state = 'running'
  having count(c.memory_used) > 0`

const crashed = sql`
  select d.crash_reason from deployments d
  where d.workspace_id = a.workspace_id and d.application_id = a.id and d.release_id = a.release_id
    and d.crashed_at is not null order by d.id desc limit 1`

const deployment = sql`
  select jsonb_build_object('id', d.id, 'type', d.type, 'status', d.status,
    'cancelling', d.status in ('queued', 'running') and d.cancel_requested_at is not null,
    'crashed', d.crashed_at is not null, 'actor', jsonb_build_object('name', d.actor_name), 'created_at', d.created_at)
  from deployments d where d.workspace_id = a.workspace_id and d.application_id = a.id
  order by d.status = 'running' desc, d.id desc limit 1`

const address = sql`
  select jsonb_build_object('host', d.host, 'path', d.path, 'https', d.https, 'certificate', (${certificate}))
  from domains d where d.workspace_id = a.workspace_id and d.application_id = a.id and ${isHeld}
  order by d.generated, d.created_at, d.id limit 1`

const routed = sql`array(
  select d.service from domains d where d.workspace_id = a.workspace_id and d.application_id = a.id
  union
  select p.service from published_ports p where p.workspace_id = a.workspace_id and p.application_id = a.id)`

import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { containersAreLive } from '../../containers/live.ts'
import type { Moment } from '../engine-state.ts'
import { createChangeFilter } from './servers.ts'

export interface ContainerStateRow {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
  server_name: string
  id: string
  name: string
  application_id: Id<'application'> | null
  project_id: Id<'project'> | null
  live: boolean
  /** Containers between two restarts count as running. */
  down: boolean
  unhealthy: boolean
  /** Exited unexpectedly; null while the exit is too recent to know whether a user requested it. */
  stopped: boolean | null
  exit_code: number | null
  observed_at: Date
}

export interface ContainerSelection {
  within: number | 'all'
  workspaces: readonly Id<'workspace'>[]
  servers: readonly Id<'server'>[]
  containers: readonly { server_id: Id<'server'> | null; container_id: string }[]
}

/** When a user stops a container, the event is written right after the container has stopped, so wait for it. */
const settled = sql`c.observed_at < now() - interval '3 seconds'`

/**
 * True if the last request in the ten minutes before the exit was to stop the container, because stopping may take
 * minutes.
 */
const stopRequested = sql`coalesce((
  select e.type in ('container.stopped', 'container.killed') from events e
  where e.workspace_id = c.workspace_id and e.target_id = c.id and e.created_at > c.observed_at - interval '10 minutes'
    and e.type in ('container.started', 'container.restarted', 'container.stopped', 'container.killed')
  order by e.id desc limit 1), false)`

const completes = sql`coalesce(
  r.config->'services' @> jsonb_build_array(jsonb_build_object('name', i.service, 'completes', true)), false)`

const serves = sql`coalesce(a.wanted = 'running' and i.state = 'serving', false)`

/**
 * A live container of an application fails with any exit, or only with a nonzero exit code if its service is meant to
 * complete. For other containers, the exit code decides.
 */
const failed = sql`case when c.application_id is null then c.exit_code is distinct from 0
  else ${serves} and coalesce(c.exit_code <> 0 or not ${completes}, false) end`

const unhealthy = sql`c.state = 'running' and c.health is not distinct from 'unhealthy'
  and (c.application_id is null or ${serves})`

/** Exits from before the server was added are not reported. */
const ended = sql`c.state in ('exited', 'dead') and (c.finished_at is null or c.finished_at > s.created_at)`

export async function listContainerStates(
  db: Db,
  selection: ContainerSelection,
): Promise<ContainerStateRow[]> {
  const { rows } = await sql<ContainerStateRow>`
    with wanted as (${selectKeys(selection)})
    select c.workspace_id, c.server_id, s.name as server_name, c.id, c.name, a.id as application_id, a.project_id,
      ${containersAreLive('s')} as live, c.state in ('created', 'exited', 'dead') and ${settled} as down, ${unhealthy} as unhealthy,
      case when not (${ended}) or not (${failed}) then false when ${settled} then not ${stopRequested} end as stopped,
      c.exit_code, c.observed_at
    from wanted w
    join containers c on c.server_id = w.server_id and c.id = w.id
    join servers s on s.workspace_id = c.workspace_id and s.id = c.server_id and s.status <> 'deleting'
    left join applications a on a.workspace_id = c.workspace_id and a.server_id = c.server_id
      and a.id = c.application_id and a.deleting_at is null
    left join instances i on i.workspace_id = a.workspace_id and i.application_id = a.id and i.id = c.instance_id
    left join releases r on r.workspace_id = i.workspace_id and r.id = i.release_id`.execute(db)
  return rows
}

function selectKeys({ within, workspaces, servers, containers }: ContainerSelection) {
  if (within === 'all') return sql`select server_id, id from containers`
  const named = containers.filter(({ server_id }) => server_id !== null)
  return sql`
    select server_id, id from containers where observed_at > now() - make_interval(secs => ${within})
    union select server_id, id from containers where workspace_id = any (${[...workspaces]})
    union select server_id, id from containers where server_id = any (${[...servers]})
    union select * from unnest(${named.map(({ server_id }) => server_id)}::text[],
      ${named.map(({ container_id }) => container_id)}::text[])`
}

/** Milliseconds between complete reads, because a process whose clock is behind may write samples late. */
const ALL_EVERY = 30_000

const AROUND = 30
const LATE = 3

export interface ContainerSampleRow {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
  container_id: string
  at: Date
  cpu: number
  memory_used: number
  memory_limit: number
}

export function createContainerSamplesReader(db: Db) {
  const isNew = createChangeFilter()
  let readAt = -Infinity
  let allReadAt = -Infinity

  return async (
    { now, at }: Moment,
    workspaceIds: readonly Id<'workspace'>[],
  ): Promise<ContainerSampleRow[]> => {
    if (workspaceIds.length === 0) return []
    const all = at - allReadAt >= ALL_EVERY
    const since = all ? AROUND : Math.min((at - readAt) / 1_000 + LATE, AROUND)
    const { rows } = await sql<ContainerSampleRow>`
      select distinct on (server_id, container_id) workspace_id, server_id, container_id, at, cpu, memory_used,
        memory_limit
      from container_samples
      where at between ${now}::timestamptz - make_interval(secs => ${since})
          and ${now}::timestamptz + make_interval(secs => ${AROUND})
        and workspace_id = any (${[...workspaceIds]})
      order by server_id, container_id, at desc`.execute(db)
    readAt = at
    if (all) allReadAt = at
    return rows.filter((row) => isNew(`${row.server_id} ${row.container_id}`, row.at))
  }
}

import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import type { TimeSpan } from './read-metrics.ts'
import { averages, columnList, type MetricKind, type Sample, type Series, timeBucket } from './series.ts'

export type MetricOwner =
  | { server_id: Id<'server'>; container_id?: string }
  | { application_id: Id<'application'> }

const only = (workspaceId: Id<'workspace'>, owner: MetricOwner) =>
  sql.join(
    Object.entries({ workspace_id: workspaceId, ...owner }).map(
      ([name, value]) => sql`${sql.ref(name)} = ${value}`,
    ),
    sql` and `,
  )

export type PointRow<K extends MetricKind> = Sample<K> & { at: Date }

export async function listRawPoints<K extends MetricKind>(
  db: Db,
  series: Series<K>,
  workspaceId: Id<'workspace'>,
  owner: MetricOwner,
  { since, until, stepSeconds }: TimeSpan,
): Promise<PointRow<K>[]> {
  const { rows } = await sql<PointRow<K>>`
    select ${timeBucket(stepSeconds)} as at, ${averages(series)} from ${sql.table(series.samples)}
    where ${only(workspaceId, owner)} and at >= ${since} and at < ${until}
    group by 1 order by 1`.execute(db)
  return rows
}

export async function listRolledUpPoints<K extends MetricKind>(
  db: Db,
  series: Series<K>,
  workspaceId: Id<'workspace'>,
  owner: MetricOwner,
  { since, until, stepSeconds }: TimeSpan,
): Promise<PointRow<K>[]> {
  const { rows } = await sql<PointRow<K>>`
    with rolled as (
      select at, ${columnList(Object.keys(series.figures))} from ${sql.table(series.rollups)}
      where ${only(workspaceId, owner)} and at >= ${since} and at < ${until}
    ), fresh as (
      select ${timeBucket(300)} as at, ${averages(series)} from ${sql.table(series.samples)}
      where ${only(workspaceId, owner)}
        and at >= greatest(${since}, (select max(at) + interval '5 minutes' from rolled)) and at < ${until}
      group by 1
    ), both_kinds as (select * from rolled union all select * from fresh)
    select ${timeBucket(stepSeconds)} as at, ${averages(series)} from both_kinds group by 1 order by 1`.execute(
    db,
  )
  return rows
}

export async function hasContainerSamples(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  containerId: string,
): Promise<boolean> {
  const isContainer = only(workspaceId, { server_id: serverId, container_id: containerId })
  const { rows } = await sql`
    (select 1 from container_samples where ${isContainer} limit 1)
    union all (select 1 from container_rollups where ${isContainer} limit 1)`.execute(db)
  return rows.length > 0
}

export async function listApplicationUsage(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
): Promise<{ id: Id<'application'>; cpu: number; memory_used: number }[]> {
  const { rows } = await sql<{ id: Id<'application'>; cpu: number; memory_used: number }>`
    select a.id, coalesce(sum(c.cpu), 0)::real as cpu, coalesce(sum(c.memory_used), 0)::bigint as memory_used
    from applications a
    left join containers c on c.workspace_id = a.workspace_id and c.server_id = a.server_id
      and c.application_id = a.id and c.state = 'running'
    where a.workspace_id = ${workspaceId} and a.server_id = ${serverId} and a.release_id is not null
      and a.deleting_at is null
    group by a.id`.execute(db)
  return rows
}

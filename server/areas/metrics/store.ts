import { type Insertable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import type { Db, Tables } from '../../tables.ts'
import { bucket, means } from './means.ts'
import type { Sample } from './sample.ts'

/** One statement for many. Those of a server that was deleted meanwhile are left out, and do not spoil the others. */
export async function insertSamples(
  db: Db,
  samples: readonly Insertable<Tables['server_samples']>[],
): Promise<void> {
  const all = <K extends keyof Insertable<Tables['server_samples']>>(name: K) =>
    samples.map((sample) => sample[name])
  await sql`
    insert into server_samples (workspace_id, server_id, at, cpu, memory_used, memory_total, disk_used, disk_total,
      network_in, network_out, load_1, load_5, load_15)
    select given.* from unnest(
      ${all('workspace_id')}::text[], ${all('server_id')}::text[], ${all('at')}::timestamptz[], ${all('cpu')}::real[],
      ${all('memory_used')}::bigint[], ${all('memory_total')}::bigint[],
      ${all('disk_used')}::bigint[], ${all('disk_total')}::bigint[],
      ${all('network_in')}::bigint[], ${all('network_out')}::bigint[],
      ${all('load_1')}::real[], ${all('load_5')}::real[], ${all('load_15')}::real[]
    ) as given (workspace_id, server_id, at, cpu, memory_used, memory_total, disk_used, disk_total,
      network_in, network_out, load_1, load_5, load_15)
    join servers on servers.workspace_id = given.workspace_id and servers.id = given.server_id
    for key share of servers
    on conflict do nothing`.execute(db)
}

export type PointRow = Sample & { at: Date }

interface Span {
  since: Date
  stepSeconds: number
}

/** Means of so many seconds each, from the raw samples. A bucket without a sample is not there. */
export async function listRawPoints(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  { since, stepSeconds }: Span,
): Promise<PointRow[]> {
  const { rows } = await sql<PointRow>`
    select ${bucket(stepSeconds)} as at, ${means} from server_samples
    where workspace_id = ${workspaceId} and server_id = ${serverId} and at >= ${since}
    group by 1 order by 1`.execute(db)
  return rows
}

/** The same from the roll-ups, and from the raw samples where they do not reach yet, so that a long range ends now. */
export async function listRolledUpPoints(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  { since, stepSeconds }: Span,
): Promise<PointRow[]> {
  const { rows } = await sql<PointRow>`
    with rolled as (
      select * from server_rollups
      where workspace_id = ${workspaceId} and server_id = ${serverId} and at >= ${since}
    ), fresh as (
      select workspace_id, server_id, ${bucket(300)} as at, ${means} from server_samples
      where workspace_id = ${workspaceId} and server_id = ${serverId}
        and at >= greatest(${since}, (select max(at) + interval '5 minutes' from rolled))
      group by 1, 2, 3
    ), both_kinds as (select * from rolled union all select * from fresh)
    select ${bucket(stepSeconds)} as at, ${means} from both_kinds group by 1 order by 1`.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { Db } from '../../tables.ts'
import { bucket, means } from './means.ts'

/**
 * Makes five-minute means of what was sampled since the last ones, for all servers: each row carries its workspace
 * along. The last quarter of an hour is done again, for samples that came late; doing it again changes nothing else.
 */
export async function rollUp(db: Db): Promise<void> {
  await sql`
    insert into server_rollups (workspace_id, server_id, at, cpu, memory_used, memory_total, disk_used, disk_total,
      network_in, network_out, load_1, load_5, load_15)
    select made.* from (
      select workspace_id, server_id, ${bucket(300)} as at, ${means} from server_samples
      where at >= coalesce((select max(at) - interval '15 minutes' from server_rollups), '-infinity')
        and at < date_bin('5 minutes', now(), timestamptz 'epoch')
      group by 1, 2, 3
    ) as made
    join servers on servers.workspace_id = made.workspace_id and servers.id = made.server_id
    for key share of servers
    on conflict (server_id, at) do update set
      cpu = excluded.cpu, memory_used = excluded.memory_used, memory_total = excluded.memory_total,
      disk_used = excluded.disk_used, disk_total = excluded.disk_total,
      network_in = excluded.network_in, network_out = excluded.network_out,
      load_1 = excluded.load_1, load_5 = excluded.load_5, load_15 = excluded.load_15`.execute(db)
}

const BATCH = 10_000

/** Raw samples for a day, roll-ups for 30; a batch at a time, so that nobody waits for a long lock. */
export async function forgetOld(db: Db, signal: AbortSignal): Promise<void> {
  await forget(db, signal, 'server_samples', '1 day')
  await forget(db, signal, 'server_rollups', '30 days')
}

async function forget(
  db: Db,
  signal: AbortSignal,
  table: 'server_samples' | 'server_rollups',
  age: string,
): Promise<void> {
  let deleted: bigint | undefined
  do {
    signal.throwIfAborted()
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where (server_id, at) in (
        select server_id, at from ${sql.table(table)}
        where at < now() - ${age}::interval order by at limit ${BATCH}
      )`.execute(db)
    deleted = numAffectedRows
  } while (deleted === BigInt(BATCH))
}

import { sql } from 'kysely'
import type { Db } from '../../tables.ts'

/** The logs of so many of the newest of an application stay, and all that are not so old. */
const keptLogs = { deployments: 50, days: 30 }

/** How many lose their log at a time, so that nobody waits for a long lock. */
const batch = 100

/** Of all workspaces: what was said by deployments that are long over goes, and they say so. */
export async function forgetLogs(db: Db, signal: AbortSignal): Promise<void> {
  let deleted: bigint | undefined
  do {
    signal.throwIfAborted()
    const { numAffectedRows } = await sql`
      with old as (
        select id from (
          select id, finished_at, log_deleted_at,
            row_number() over (partition by application_id order by id desc) as place
          from deployments
        ) as ranked
        where place > ${keptLogs.deployments} and log_deleted_at is null
          and finished_at < now() - make_interval(days => ${keptLogs.days})
        limit ${batch}
      ), gone as (delete from outputs where source in (select id from old))
      update deployments set log_deleted_at = now() where id in (select id from old)`.execute(db)
    deleted = numAffectedRows
  } while (deleted === BigInt(batch))
}

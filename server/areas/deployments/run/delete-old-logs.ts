import { sql } from 'kysely'
import type { Db } from '../../../tables.ts'

const logRetention = { deployments: 50, days: 30 }

const batchSize = 100

export async function deleteOldLogs(db: Db, signal: AbortSignal): Promise<void> {
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
        where place > ${logRetention.deployments} and log_deleted_at is null
          and finished_at < now() - make_interval(days => ${logRetention.days})
        limit ${batchSize}
      ), gone as (delete from outputs where source in (select id from old))
      update deployments set log_deleted_at = now() where id in (select id from old)`.execute(db)
    deleted = numAffectedRows
  } while (deleted === BigInt(batchSize))
}

import { sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import { handlingOf } from './queue.ts'

const keptDays = 30
/** How many go at a time, so that nobody waits for a long lock. */
const batch = 500

/** Of all workspaces. */
export async function forgetDeliveries({ db }: Pick<Context, 'db'>, signal: AbortSignal): Promise<void> {
  let deleted: bigint | undefined
  do {
    signal.throwIfAborted()
    const { numAffectedRows } = await sql`
      delete from deliveries where id in (
        select id from deliveries where received_at < now() - make_interval(days => ${keptDays}) limit ${batch})`.execute(
      db,
    )
    deleted = numAffectedRows
  } while (deleted === BigInt(batch))
}

/** Those of all workspaces that a job was to look at which was given up. */
export async function takeUpLeft({ db, secrets }: Context): Promise<void> {
  const { rows } = await sql<{ workspace_id: Id<'workspace'>; queue: string }>`
    select distinct workspace_id, queue from deliveries d
    where status = 'waiting' and received_at < now() - interval '1 minute'
      and not exists (select from jobs where state in ('queued', 'running')
        and key = 'deliveries:' || d.workspace_id || ':' || d.queue)`.execute(db)
  for (const { workspace_id, queue } of rows) await enqueue(secrets, db, handlingOf(workspace_id, queue))
}

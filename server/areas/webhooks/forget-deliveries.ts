import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { deleteInBatches } from '../../platform/delete-in-batches.ts'
import { enqueue } from '../../platform/jobs.ts'
import { handlingOf } from './queue.ts'

const old = sql`received_at < now() - interval '30 days'`

export const forgetDeliveries = ({ db }: Pick<Context, 'db'>, signal: AbortSignal): Promise<void> =>
  deleteInBatches(db, 'deliveries', old, signal)

/** Requeues deliveries of all workspaces whose job was given up. */
export async function takeUpLeft({ db, secrets }: Context): Promise<void> {
  const { rows } = await sql<{ workspace_id: Id<'workspace'>; queue: string }>`
    select distinct workspace_id, queue from deliveries d
    where status = 'waiting' and received_at < now() - interval '1 minute'
      and not exists (select from jobs where state in ('queued', 'running')
        and key = 'deliveries:' || d.workspace_id || ':' || d.queue)`.execute(db)
  for (const { workspace_id, queue } of rows) await enqueue(secrets, db, handlingOf(workspace_id, queue))
}

import { sql } from 'kysely'
import { deleteInBatches } from '../../platform/delete-in-batches.ts'
import type { Db } from '../../tables.ts'

/** Of all workspaces: what is over for three months, and of what was seen on the way there all but the last day. */
export async function deleteOldIncidents(db: Db, signal: AbortSignal): Promise<void> {
  const over = sql`state = 'resolved' and resolved_at < now() - interval '90 days'`
  await deleteInBatches(db, 'incidents', over, signal)
  const old = sql`at < now() - interval '1 day'`
  await deleteInBatches(db, 'checks', old, signal)
  await deleteInBatches(db, 'container_troubles', old, signal)
}

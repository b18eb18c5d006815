import type { Id } from '../contract/ids.ts'
import type { Db } from '../server/tables.ts'

/** What was told in a workspace so far, first things first. */
export const eventsOf = async (db: Db, workspace: Id<'workspace'>): Promise<string[]> => {
  const rows = await db
    .selectFrom('events')
    .select('type')
    .where('workspace_id', '=', workspace)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ type }) => type)
}

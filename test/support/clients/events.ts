import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../../server/tables.ts'

/** Events of a workspace, oldest first. */
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

/** Events of a target with their details. */
export const eventsOfTarget = async (
  db: Db,
  target: string,
): Promise<[type: string, detail: string | null][]> => {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'detail'])
    .where('target_id', '=', target)
    .orderBy('id')
    .execute()
  return rows.map(({ type, detail }) => [type, detail])
}

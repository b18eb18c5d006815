import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../../server/tables.ts'

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

/** What was told of one thing, with what it says beside. */
export const toldOf = async (db: Db, target: string): Promise<[type: string, detail: string | null][]> => {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'detail'])
    .where('target_id', '=', target)
    .orderBy('id')
    .execute()
  return rows.map(({ type, detail }) => [type, detail])
}

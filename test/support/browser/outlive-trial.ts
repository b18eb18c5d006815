import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../../server/tables.ts'
import { endTrial } from '../factories/billing-factories.ts'

/** Ends the trial of an existing workspace; one created today would have none. */
export async function outliveTrial(db: Db, workspaceId: Id<'workspace'>) {
  const created_at = new Date(Date.now() - 15 * 86_400_000)
  await db.updateTable('workspaces').set({ created_at }).where('id', '=', workspaceId).execute()
  await endTrial(db, workspaceId)
}

import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../../server/tables.ts'
import { endTrial } from '../factories/billing-factories.ts'

/** The trial ended a day ago, as that of a workspace that was there all the while; one made today never had any. */
export async function outliveTrial(db: Db, workspaceId: Id<'workspace'>) {
  const created_at = new Date(Date.now() - 15 * 86_400_000)
  await db.updateTable('workspaces').set({ created_at }).where('id', '=', workspaceId).execute()
  await endTrial(db, workspaceId)
}

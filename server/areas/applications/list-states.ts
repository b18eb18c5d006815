import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { listApplicationFacts } from './facts-store.ts'
import { type ApplicationState, computeApplicationState } from './state.ts'

interface Stated extends Pick<ApplicationState, 'state' | 'reason'> {
  id: Id<'application'>
  name: string
}

export async function listApplicationStates(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<Stated[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('applications')
    .select(['id', 'name', 'wanted'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .where('deleting_at', 'is', null)
    .execute()
  const facts = new Map((await listApplicationFacts(db, workspaceId, ids)).map((one) => [one.id, one]))
  return rows.flatMap((row) => {
    const known = facts.get(row.id)
    if (!known) return []
    const { state, reason } = computeApplicationState(row, known)
    return [{ id: row.id, name: row.name, state, reason }]
  })
}

import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { listFacts } from './facts-store.ts'
import { type State, stateOf } from './state.ts'

interface Stated extends Pick<State, 'state' | 'reason'> {
  id: Id<'application'>
  name: string
}

export async function statesOf(
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
  const facts = new Map((await listFacts(db, workspaceId, ids)).map((one) => [one.id, one]))
  return rows.flatMap((row) => {
    const known = facts.get(row.id)
    if (!known) return []
    const { state, reason } = stateOf(row, known)
    return [{ id: row.id, name: row.name, state, reason }]
  })
}

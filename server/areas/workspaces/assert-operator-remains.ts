import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { conflict } from '../../errors.ts'
import type { Trx } from '../../tables.ts'
import { lockWorkspace } from './store.ts'

/**
 * Keeps at least one unlocked instance owner among the owners of the workspace with This machine.
 */
export async function assertOperatorRemains(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  user: { id: Id<'user'>; name: string },
): Promise<void> {
  const workspace = await lockWorkspace(trx, workspaceId)
  const { rows } = await sql<{ id: Id<'user'>; locked: boolean }>`
    select u.id, u.locked_at is not null as locked from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and m.role = 'owner' and u.instance_owner
      and exists (select from servers s where s.workspace_id = m.workspace_id and s.kind = 'local')`.execute(
    trx,
  )
  const isOne = rows.some(({ id }) => id === user.id)
  if (workspace && isOne && !rows.some(({ id, locked }) => id !== user.id && !locked))
    throw conflict(
      'last_operator',
      `${user.name} is the only instance owner among the owners of ${workspace.name}, which uses This machine as a server. Make another instance owner an owner of the workspace, or turn off This machine first.`,
    )
}

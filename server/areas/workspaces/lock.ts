import type { Id } from '../../../contract/shared/ids.ts'
import { Problem } from '../../errors.ts'
import type { Db } from '../../tables.ts'
import { findLockedWorkspace } from './store.ts'

/** Returns whether an instance owner locked the workspace. Nothing can be changed or deployed until it is unlocked. */
export const isWorkspaceLocked = async (db: Db, workspaceId: Id<'workspace'>) =>
  (await findLockedWorkspace(db, workspaceId)) !== undefined

/** For requests without a member, such as a server that registers during import. */
export async function assertWorkspaceNotLocked(db: Db, workspaceId: Id<'workspace'>): Promise<void> {
  if (await isWorkspaceLocked(db, workspaceId)) throw workspaceLocked()
}

export const workspaceLocked = () =>
  new Problem(
    403,
    'workspace_locked',
    'This workspace was locked by the operator of this instance. Its applications keep running. Ask the operator to unlock it, or switch to another workspace.',
  )

import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { workspaceLocked } from '../auth/locked-errors.ts'
import { findLockedWorkspace } from './store.ts'

/** Returns whether an instance owner locked the workspace. Nothing can be changed or deployed until it is unlocked. */
export const isWorkspaceLocked = async (db: Db, workspaceId: Id<'workspace'>) =>
  (await findLockedWorkspace(db, workspaceId)) !== undefined

/** For requests without a member, such as a server that registers during import. */
export async function assertWorkspaceNotLocked(db: Db, workspaceId: Id<'workspace'>): Promise<void> {
  if (await isWorkspaceLocked(db, workspaceId)) throw workspaceLocked()
}

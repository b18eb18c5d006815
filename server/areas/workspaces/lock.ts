import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { workspaceLocked } from '../auth/locked.ts'
import { findLock } from './store.ts'

/** Whether an instance owner has locked the workspace: nothing is changed or deployed in it until it is unlocked. */
export const isWorkspaceLocked = async (db: Db, workspaceId: Id<'workspace'>) =>
  (await findLock(db, workspaceId)) !== undefined

/** For calls that no member makes, such as a server that reports for import. */
export async function mustNotBeLocked(db: Db, workspaceId: Id<'workspace'>): Promise<void> {
  if (await isWorkspaceLocked(db, workspaceId)) throw workspaceLocked()
}

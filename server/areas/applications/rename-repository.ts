import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'

/** GitHub identifies repositories by ID, so a renamed repository stays the same. */
export const renameRepository = (db: Db, workspaceId: Id<'workspace'>, repositoryId: number, name: string) =>
  db
    .updateTable('sources')
    .set({ repository: name })
    .where('workspace_id', '=', workspaceId)
    .where('repository_id', '=', repositoryId)
    .where('repository', '<>', name)
    .execute()

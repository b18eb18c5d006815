import type { Id } from '../../../contract/ids.ts'
import { notFound } from '../../errors.ts'
import type { Db, Trx } from '../../tables.ts'

/** The project that an application is in, or is to be made in. */
export const findProject = (db: Db, workspaceId: Id<'workspace'>, id: Id<'project'>) =>
  db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** It is not deleted until the transaction ends. */
export async function holdProject(trx: Trx, workspaceId: Id<'workspace'>, id: Id<'project'>): Promise<void> {
  const found = await trx
    .selectFrom('projects')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (!found) throw notFound('This project')
}

import type { Id } from '../../../contract/shared/ids.ts'
import { notFound } from '../../errors.ts'
import type { Db, Trx } from '../../tables.ts'

export const findProject = (db: Db, workspaceId: Id<'workspace'>, id: Id<'project'>) =>
  db
    .selectFrom('projects')
    .select(['id', 'name', 'network'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export async function lockProject(trx: Trx, workspaceId: Id<'workspace'>, id: Id<'project'>): Promise<void> {
  const project = await trx
    .selectFrom('projects')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (!project) throw notFound('This project')
}

export const findNetworkProject = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  withNetwork(db, workspaceId).where('a.id', '=', id).executeTakeFirst()

export async function listNetworkProjects(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
): Promise<Id<'project'>[]> {
  const rows = await withNetwork(db, workspaceId)
    .where('a.server_id', '=', serverId)
    .where('a.deleting_at', 'is', null)
    .distinct()
    .execute()
  return rows.map(({ id }) => id)
}

const withNetwork = (db: Db, workspaceId: Id<'workspace'>) =>
  db
    .selectFrom('applications as a')
    .innerJoin('projects as p', 'p.id', 'a.project_id')
    .select(['p.id', 'p.name'])
    .where('a.workspace_id', '=', workspaceId)
    .where('p.workspace_id', '=', workspaceId)
    .where('p.network', '=', true)

import type { Selectable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'
import type { Integration } from '../integrations/integration.ts'

/** Application built from a repository, with its push settings. */
export interface Candidate extends Pick<
  Selectable<Tables['sources']>,
  'branch' | 'deploy_on' | 'tags' | 'watch_paths'
> {
  id: Id<'application'>
  name: string
  integration: Integration
}

/** Applications that use the repository through this installation. */
export async function listCandidates(
  db: Db,
  workspaceId: Id<'workspace'>,
  integration: Integration,
  repositoryId: number,
): Promise<Candidate[]> {
  const rows = await db
    .selectFrom('sources as s')
    .innerJoin('applications as a', (on) =>
      on.onRef('a.workspace_id', '=', 's.workspace_id').onRef('a.id', '=', 's.application_id'),
    )
    .select(['a.id', 'a.name', 's.branch', 's.deploy_on', 's.tags', 's.watch_paths'])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.repository_id', '=', repositoryId)
    .where('s.integration_id', '=', integration.id)
    .where('a.deleting_at', 'is', null)
    .orderBy('a.name')
    .execute()
  return rows.map((row) => ({ ...row, integration }))
}

/** Integration of a workspace for this installation. */
export const findIntegrationByInstallation = (
  db: Db,
  workspaceId: Id<'workspace'>,
  installation: number,
): Promise<Integration | undefined> =>
  db
    .selectFrom('integrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', 'github')
    .where('installation_id', '=', installation)
    .executeTakeFirst()

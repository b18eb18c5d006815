import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'
import type { Integration } from '../integrations/integration.ts'
import type { RepositoryRef } from '../integrations/installation-token.ts'

export async function hasRepositorySource(
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
) {
  const row = await db
    .selectFrom('sources')
    .select('application_id')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row !== undefined
}

export interface StatusRepository {
  integration: Integration
  repository: RepositoryRef
  context: string
}

/** Two workspaces may use one repository: applications of the same name need distinct contexts. */
const hasEarlierNamesake = sql<boolean>`exists (
  select from sources o join applications b on b.workspace_id = o.workspace_id and b.id = o.application_id
  where o.repository_id = s.repository_id and o.application_id < s.application_id and b.slug = a.slug)`

export async function findStatusRepository(
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
): Promise<StatusRepository | undefined> {
  const row = await db
    .selectFrom('integrations as i')
    .innerJoin('sources as s', (on) =>
      on.onRef('s.workspace_id', '=', 'i.workspace_id').onRef('s.integration_id', '=', 'i.id'),
    )
    .innerJoin('applications as a', (on) =>
      on.onRef('a.workspace_id', '=', 's.workspace_id').onRef('a.id', '=', 's.application_id'),
    )
    .selectAll('i')
    .select(['s.repository_id', 's.repository', 'a.slug', hasEarlierNamesake.as('is_second')])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.application_id', '=', applicationId)
    .where('i.status', '=', 'active')
    .executeTakeFirst()
  if (!row) return undefined
  const { repository_id, repository, slug, is_second, ...integration } = row
  return {
    integration,
    repository: { repository_id, repository },
    context: is_second ? `slipway/${slug}/${applicationId}` : `slipway/${slug}`,
  }
}

export type ReportableDeployment = Pick<
  Selectable<Tables['deployments']>,
  'id' | 'workspace_id' | 'application_id' | 'status' | 'cancel_requested_at' | 'commit' | 'told'
>

/** Deployments of the last day with a commit, oldest first, so that the newest status wins. */
export const listReportableDeployments = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
): Promise<ReportableDeployment[]> =>
  db
    .selectFrom('deployments')
    .select(['id', 'workspace_id', 'application_id', 'status', 'cancel_requested_at', 'commit', 'told'])
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .where('commit', 'is not', null)
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('id')
    .execute()

export const updateReportedStatus = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  told: string,
) =>
  db
    .updateTable('deployments')
    .set({ told })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import { type PageQuery, readPage } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

export type DeploymentRow = Selectable<Tables['deployments']> & { application_name: string }

export interface DeploymentQuery extends PageQuery {
  application_id?: Id<'application'> | undefined
  since?: string | undefined
}

/** Newest first. */
export function listDeploymentRows(db: Db, workspaceId: Id<'workspace'>, query: DeploymentQuery) {
  const ofOne = query.application_id ? sql`and d.application_id = ${query.application_id}` : sql``
  const recent = query.since ? sql`and d.created_at >= ${new Date(query.since)}` : sql``
  const from = sql`
    select d.*, a.name as application_name from deployments d
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id
    where d.workspace_id = ${workspaceId} ${ofOne} ${recent}`
  return readPage<DeploymentRow>(db, { from, order: ['id'], direction: 'desc' }, query)
}

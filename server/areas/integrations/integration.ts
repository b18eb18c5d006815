import type { z } from 'zod'
import type { integration } from '../../../contract/integrations.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { SearchQuery } from '../../platform/page.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Db } from '../../tables.ts'
import {
  deleteIntegrationRow,
  findIntegrationRow,
  type IntegrationRow,
  listIntegrationRows,
  type IntegrationWithUsage,
} from './store.ts'

export type Integration = Pick<
  IntegrationRow,
  'id' | 'workspace_id' | 'installation_id' | 'account' | 'status'
>

export const findIntegration = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'integration'>,
): Promise<IntegrationRow | undefined> => findIntegrationRow(db, workspaceId, id)

export async function getIntegration(db: Db, workspaceId: Id<'workspace'>, id: Id<'integration'>) {
  const row = await findIntegrationRow(db, workspaceId, id)
  if (!row) throw notFound('This account')
  return row
}

export async function listIntegrations(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listIntegrationRows(ctx.db, actor.workspace.id, query)
  return { integrations: rows.map((row) => presentIntegration(ctx, row)), page }
}

export function presentIntegration(
  { config }: Context,
  row: IntegrationWithUsage,
): z.input<typeof integration> {
  const accountPath = row.account_type === 'Organization' ? `/organizations/${row.account}` : ''
  return {
    id: row.id,
    provider: row.provider,
    name: row.account,
    avatar: row.avatar,
    account_type: row.account_type,
    status: row.status,
    repositories: row.repositories,
    manage_url: `${config.GITHUB_URL}${accountPath}/settings/installations/${row.installation_id}`,
    applications: row.applications,
    created_at: row.created_at.toISOString(),
  }
}

/** Applications keep running and keep their settings; the App stays installed at GitHub. */
export const deleteIntegration = (ctx: Context, actor: Actor, id: Id<'integration'>) =>
  transaction(ctx.db, async (trx) => {
    const deleted = await deleteIntegrationRow(trx, actor.workspace.id, id)
    if (!deleted) throw notFound('This account')
    const target = { kind: 'integration', id, name: deleted.account }
    await emit(trx, actor, actor.workspace.id, 'integration.deleted', target)
  })

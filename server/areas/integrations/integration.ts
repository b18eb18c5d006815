import type { z } from 'zod'
import type { integration } from '../../../contract/integrations.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { type SearchQuery, containsPattern, readPage } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Db, Tables } from '../../tables.ts'
import { type Insertable, type Selectable, sql } from 'kysely'

export type IntegrationRow = Selectable<Tables['integrations']>

export type Integration = Pick<
  IntegrationRow,
  'id' | 'workspace_id' | 'installation_id' | 'account' | 'status'
>

export interface IntegrationWithUsage extends IntegrationRow {
  applications: number
}

export async function getIntegration(db: Db, workspaceId: Id<'workspace'>, id: Id<'integration'>) {
  const row = await findIntegration(db, workspaceId, id)
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

/** Applications keep running and keep their settings; the App stays installed on GitHub. */
export const deleteIntegration = (ctx: Context, actor: Actor, id: Id<'integration'>) =>
  transaction(ctx.db, async (trx) => {
    const deleted = await deleteIntegrationRow(trx, actor.workspace.id, id)
    if (!deleted) throw notFound('This account')
    const target = { kind: 'integration', id, name: deleted.account }
    await emit(trx, actor, actor.workspace.id, 'integration.deleted', target)
  })

const selectIntegrations = (workspaceId: Id<'workspace'>) => sql<IntegrationWithUsage>`
  select i.*, lower(i.account) as sorted, (select count(*) from sources s
    join applications a on a.workspace_id = s.workspace_id and a.id = s.application_id
    where s.workspace_id = i.workspace_id and s.integration_id = i.id and a.deleting_at is null) as applications
  from integrations i where i.workspace_id = ${workspaceId}`

export const listIntegrationRows = (db: Db, workspaceId: Id<'workspace'>, query: SearchQuery) =>
  readPage<IntegrationWithUsage>(
    db,
    {
      from: sql`${selectIntegrations(workspaceId)} and i.account ilike ${containsPattern(query.q ?? '')}`,
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const listIntegrationsById = async (db: Db, workspaceId: Id<'workspace'>, ids: Id<'integration'>[]) =>
  (
    await sql<IntegrationWithUsage>`${selectIntegrations(workspaceId)} and i.id = any(${ids}) order by sorted, i.id`.execute(
      db,
    )
  ).rows

export const findIntegration = (db: Db, workspaceId: Id<'workspace'>, id: Id<'integration'>) =>
  db
    .selectFrom('integrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

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

/** Reconnecting keeps the ID, so that applications stay linked. */
export const upsertIntegration = (db: Db, row: Insertable<Tables['integrations']>) =>
  db
    .insertInto('integrations')
    .values(row)
    .onConflict((on) =>
      on.columns(['workspace_id', 'provider', 'installation_id']).doUpdateSet({
        account_id: row.account_id,
        account: row.account,
        account_type: row.account_type,
        avatar: row.avatar ?? null,
        repositories: row.repositories,
        status: 'active',
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()

/** Adopts the applications of the account's earlier connections: an App is installed once per account. */
export const adoptSources = (
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, account_id, account }: ConnectedAccount,
) =>
  sql`
  update sources s set integration_id = ${id}
  where s.workspace_id = ${workspaceId} and (
    s.integration_id is null and lower(split_part(s.repository, '/', 1)) = lower(${account})
    or s.integration_id in (select i.id from integrations i where i.workspace_id = ${workspaceId}
      and i.provider = 'github' and i.account_id = ${account_id} and i.id <> ${id}))`.execute(db)

type ConnectedAccount = Pick<IntegrationRow, 'id' | 'account_id' | 'account'>

export const deleteReplacedIntegrations = (
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, account_id }: Pick<ConnectedAccount, 'id' | 'account_id'>,
) =>
  db
    .deleteFrom('integrations')
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', 'github')
    .where('account_id', '=', account_id)
    .where('id', '<>', id)
    .execute()

export const deleteIntegrationRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'integration'>) =>
  db
    .deleteFrom('integrations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('account')
    .executeTakeFirst()

import { type Insertable, type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

export type IntegrationRow = Selectable<Tables['integrations']>

export interface IntegrationWithUsage extends IntegrationRow {
  applications: number
}

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

export const findIntegrationRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'integration'>) =>
  db
    .selectFrom('integrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
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

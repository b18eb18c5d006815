import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { lookKey } from './request-account-check.ts'
import type { CloudServerRow } from './store.ts'

const inHand = sql`s.status in ('provisioning', 'deleting')`

export interface DueToken {
  workspace_id: Id<'workspace'>
  id: Id<'cloudToken'>
}

/** Lists the tokens whose servers were not checked recently and that have no queued check. */
export async function listDueTokens(db: Db, everySeconds: number): Promise<DueToken[]> {
  const due = sql`now() - make_interval(secs => ${everySeconds})`
  const { rows } = await sql<DueToken>`
    select t.workspace_id, t.id from cloud_tokens t
    where (t.checked_at is null or t.checked_at < ${due}) and exists (
      select from cloud_servers c join servers s on s.workspace_id = c.workspace_id and s.id = c.server_id
      where c.workspace_id = t.workspace_id and not ${inHand}
        and (c.cloud_token_id = t.id or c.cloud_token_id is null and c.provider = t.provider)
        and (c.seen_at is null or c.seen_at < ${due}))
      and not exists (select from jobs j where j.key = ${lookKey} || t.id and j.state = 'queued')
    order by t.checked_at nulls first`.execute(db)
  return rows
}

export async function listServersOfToken(
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, provider }: { id: Id<'cloudToken'>; provider: string },
): Promise<CloudServerRow[]> {
  const { rows } = await sql<CloudServerRow>`
    select c.* from cloud_servers c join servers s on s.workspace_id = c.workspace_id and s.id = c.server_id
    where c.workspace_id = ${workspaceId} and c.provider = ${provider} and not ${inHand}
      and (c.cloud_token_id = ${id} or c.cloud_token_id is null)`.execute(db)
  return rows
}

export async function countQueuedChecks(db: Db, { id }: Pick<JobRun, 'id'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs
    where state = 'queued' and key = (select key from jobs where id = ${id})`.execute(db)
  return rows[0]?.count ?? 0
}

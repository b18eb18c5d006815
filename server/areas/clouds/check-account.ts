import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { enqueue, finishQueuedDuplicates, type JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import {
  type CloudTokenRow,
  findCloudToken,
  getProvider,
  toProviderAccount,
} from '../cloud-tokens/cloud-token.ts'
import { isTokenRejection, markTokenAccepted, markTokenRejected } from '../cloud-tokens/token-status.ts'
import { CloudRefused, CloudUnavailable } from '../providers/cloud-errors.ts'
import type { Account as CloudAccount, CloudServer, Provider } from '../providers/provider.ts'
import { saveSeenServer } from './save-seen-server.ts'
import { type CloudServerRow } from './store.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../../tables.ts'

const every = 300

/** Each account has its own job, so that a slow provider does not delay the others. */
export async function checkCloudAccounts(ctx: Context): Promise<void> {
  for (const { workspace_id, id } of await listDueTokens(ctx.db, every))
    await transaction(ctx.db, (trx) => requestAccountCheck(ctx, trx, workspace_id, id))
}

interface Account {
  workspace_id: Id<'workspace'>
  cloud_token_id: Id<'cloudToken'>
}

export async function checkCloudAccount(ctx: Context, given: Account, run: JobRun): Promise<void> {
  const { workspace_id: workspaceId, cloud_token_id: tokenId } = given
  const token = await findCloudToken(ctx, workspaceId, tokenId)
  if (!token) return
  try {
    await finishQueuedDuplicates(ctx.db, run)
    await look(ctx, token, run)
  } catch (error) {
    run.signal.throwIfAborted()
    if (isTokenRejection(error)) return markTokenRejected(ctx, token, error.message)
    if (!(error instanceof Problem)) throw error
    ctx.log.info({ token: token.id, reason: error.message }, 'Failed to check a cloud account')
  }
}

async function look(ctx: Context, token: CloudTokenRow, { signal }: JobRun): Promise<void> {
  const [provider, account] = [getProvider(token.provider), toProviderAccount(ctx, token, signal)]
  const began = performance.now()
  const there = (await provider.listServers(account)).filter(({ status }) => status !== 'deleted')
  await markTokenAccepted(ctx, token, signal)
  for (const row of await listServersOfToken(ctx.db, token.workspace_id, token)) {
    const { cloud_id: id, status } = row
    const listed = id === null ? oldestFor(row, there) : there.find((server) => server.id === id)
    // A server without a token may belong to another account, and one incomplete list is no proof of
    // deletion.
    if (!listed && row.cloud_token_id === null) continue
    const isNews = !listed && id !== null && status !== 'deleted'
    const server = isNews ? await findUnlisted(account, provider, id) : listed
    if (server === 'unknown') continue
    const own = server?.id ?? id
    const duplicates = there.flatMap((candidate) =>
      candidate.serverId === row.server_id && candidate.id !== own ? candidate.id : [],
    )
    await saveSeenServer(ctx, token, row, { found: server, duplicates, began })
  }
}

/** Catches the error of a single server, so that the others are still checked. */
async function findUnlisted(account: CloudAccount, provider: Provider, id: string) {
  try {
    return await provider.findServer(account, id)
  } catch (error) {
    account.signal?.throwIfAborted()
    if (!(error instanceof CloudRefused || error instanceof CloudUnavailable)) throw error
    account.ctx.log.info({ id, reason: error.message }, 'Failed to check a server at its cloud provider')
    return 'unknown'
  }
}

const oldestFor = ({ server_id }: CloudServerRow, there: CloudServer[]) =>
  there
    .filter(({ serverId }) => serverId === server_id)
    .toSorted((a, b) => Number(a.created_at) - Number(b.created_at))[0]

const inHand = sql`s.status in ('provisioning', 'deleting')`

interface DueToken {
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
      and not exists (select from jobs j where j.key = ${accountCheckKey} || t.id and j.state = 'queued')
    order by t.checked_at nulls first`.execute(db)
  return rows
}

async function listServersOfToken(
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

const limit = 4

const accountCheckKey = 'look-at-account:'

export const requestAccountCheck = (
  ctx: Context,
  trx: Trx,
  workspace_id: Id<'workspace'>,
  cloud_token_id: Id<'cloudToken'>,
) =>
  enqueue(ctx.secrets, trx, {
    kind: 'look-at-account',
    payload: { workspace_id, cloud_token_id },
    key: `${accountCheckKey}${cloud_token_id}`,
    group: { name: 'look-at-account', limit },
    lane: 'clouds',
    attempts: 1,
  })

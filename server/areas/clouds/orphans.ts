import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { enqueueProvision } from '../servers/cloud-creation.ts'
import type { ServerRow } from '../servers/server.ts'
import { enqueueDestroy } from './request-destroy.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { enqueue, type JobRun } from '../../platform/jobs.ts'
import { findCloudToken, getProvider, orphanJobKey, toProviderAccount } from '../cloud-tokens/cloud-token.ts'
import { isTokenRejection, markTokenRejected } from '../cloud-tokens/token-status.ts'

type UnfinishedServer = Pick<ServerRow, 'id' | 'workspace_id' | 'status'>

/** Resumes creations and destructions whose jobs were lost, because they cost money. */
export async function resumeOrphans(ctx: Context): Promise<void> {
  const { rows } = await sql<UnfinishedServer>`
    select s.id, s.workspace_id, s.status from servers s
    join cloud_servers c on c.workspace_id = s.workspace_id and c.server_id = s.id
    where s.status in ('provisioning', 'deleting')
      and not exists (select from jobs j where j.key = 'cloud:' || s.id and j.state in ('queued', 'running'))
  `.execute(ctx.db)
  for (const { id, workspace_id, status } of rows)
    await transaction(ctx.db, (trx) =>
      status === 'deleting'
        ? enqueueDestroy(ctx, trx, { workspace_id, server_id: id })
        : enqueueProvision(ctx, trx, { id, workspace_id }),
    )
}

interface OrphanedServer {
  workspace_id: Id<'workspace'>
  cloud_token_id: Id<'cloudToken'>
  cloud_id: string
}

/** Enough attempts for days: providers may be unavailable, and refuse to delete servers in creation. */
const attempts = 1_000

export const enqueueOrphan = (ctx: Context, stray: OrphanedServer) =>
  enqueue(ctx.secrets, ctx.db, {
    kind: 'destroy-stray',
    payload: stray,
    key: orphanJobKey(stray.workspace_id, stray.cloud_token_id),
    lane: 'clouds',
    attempts,
  })

/** Destroys a server whose row is gone or refers to another server, because it would be billed unnoticed. */
export async function destroyOrphanedServer(
  ctx: Context,
  stray: OrphanedServer,
  { signal }: JobRun,
): Promise<void> {
  const { workspace_id: workspaceId, cloud_token_id: tokenId, cloud_id: id } = stray
  const token = await findCloudToken(ctx, workspaceId, tokenId)
  if (!token)
    return ctx.log.error({ id }, 'Failed to destroy an orphaned server: the cloud token was deleted')
  const { rows } = await sql`
    select from cloud_servers
    where workspace_id = ${workspaceId} and provider = ${token.provider} and cloud_id = ${id}`.execute(ctx.db)
  if (rows.length > 0) return
  try {
    await getProvider(token.provider).destroyServer(toProviderAccount(ctx, token, signal), id)
  } catch (error) {
    if (isTokenRejection(error)) await markTokenRejected(ctx, token, error.message)
    throw error
  }
  ctx.log.warn({ provider: token.provider, id }, 'Destroyed an orphaned server')
}

import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue, type JobRun } from '../../platform/jobs.ts'
import { toProviderAccount, findCloudToken, getProvider } from '../cloud-tokens/cloud-token.ts'
import { isTokenRejection, markTokenRejected } from '../cloud-tokens/token-status.ts'
import { orphanJobKey } from '../cloud-tokens/orphan-job-key.ts'

export interface OrphanedServer {
  workspace_id: Id<'workspace'>
  cloud_token_id: Id<'cloudToken'>
  cloud_id: string
}

/** Providers refuse to delete servers in creation and may be unavailable: retry for days. */
const attempts = 1_000

export const enqueueStray = (ctx: Context, stray: OrphanedServer) =>
  enqueue(ctx.secrets, ctx.db, {
    kind: 'destroy-stray',
    payload: stray,
    key: orphanJobKey(stray.workspace_id, stray.cloud_token_id),
    lane: 'clouds',
    attempts,
  })

/**
 * Destroys a server that was created for a row that has another one or is gone: it would be billed unnoticed.
 */
export async function destroyOrphanedServer(
  ctx: Context,
  stray: OrphanedServer,
  { signal }: JobRun,
): Promise<void> {
  const { workspace_id: workspaceId, cloud_token_id: tokenId, cloud_id: id } = stray
  const token = await findCloudToken(ctx, workspaceId, tokenId)
  if (!token)
    return ctx.log.error(
      { id },
      'Left an orphaned server at its cloud provider: the cloud token was deleted.',
    )
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
  ctx.log.warn({ provider: token.provider, id }, 'Destroyed a server that was created after its deletion.')
}

import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { accountOf, findCloudToken } from '../cloud-tokens/cloud-token.ts'
import { isTokenRejection } from '../cloud-tokens/token-status.ts'
import { findProvider } from '../providers/providers.ts'

interface LeftoverKey {
  workspace_id: Id<'workspace'>
  cloud_token_id: Id<'cloudToken'>
  cloud_key_id: string
}

/** Removes the key of a server that was deleted before it connected. Best effort. */
export async function removeLeftoverKey(ctx: Context, left: LeftoverKey, { signal }: JobRun): Promise<void> {
  const token = await findCloudToken(ctx, left.workspace_id, left.cloud_token_id)
  if (!token) return
  try {
    await findProvider(token.provider)?.removeKey(accountOf(ctx, token, signal), left.cloud_key_id)
  } catch (error) {
    if (!isTokenRejection(error)) throw error
    ctx.log.info(
      { key: left.cloud_key_id },
      'Left an SSH key at the cloud provider, which rejects the token.',
    )
  }
}

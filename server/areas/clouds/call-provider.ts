import { toProviderAccount, type CloudTokenRow, findCloudToken } from '../cloud-tokens/cloud-token.ts'
import { markTokenAccepted } from '../cloud-tokens/token-status.ts'
import type { Account, Provider } from '../providers/provider.ts'
import { type Creation, CreationFailed, saveCreationProgress } from './creation.ts'
import { toRetry, unavailableSince } from './postpone.ts'
import { creationFailedMessage } from './failure-messages.ts'

/** Calls the provider; while it is unavailable, the creation is retried later. */
export async function callProvider<T>(
  creation: Creation,
  ask: (provider: Provider, account: Account) => Promise<T>,
): Promise<T> {
  const token = await readCreationToken(creation)
  try {
    const answer = await ask(creation.provider, toProviderAccount(creation.ctx, token, creation.run.signal))
    await hear(creation, token)
    return answer
  } catch (error) {
    throw await toRetry(creation, token, error)
  }
}

export async function readCreationToken({ ctx, cloud }: Creation): Promise<CloudTokenRow> {
  const { workspace_id: workspaceId, cloud_token_id: id } = cloud
  const row = id === null ? undefined : await findCloudToken(ctx, workspaceId, id)
  if (!row)
    throw new CreationFailed(creationFailedMessage(cloud, 'The cloud token of this server was deleted.'))
  return row
}

/** Clears the unavailability message, unless a create request is still open. */
async function hear(creation: Creation, token: CloudTokenRow): Promise<void> {
  const { ctx, run, server, cloud } = creation
  if (unavailableSince(server.reason) === undefined) return
  if (cloud.asked_at === null) await saveCreationProgress(creation, { server: { reason: null } })
  if (token.error !== null) await markTokenAccepted(ctx, token, run.signal)
}

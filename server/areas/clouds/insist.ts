import { accountOf, type CloudTokenRow, findCloudToken } from '../cloud-tokens/cloud-token.ts'
import { noteAccepted } from '../cloud-tokens/noted.ts'
import type { Account, Provider } from '../providers/provider.ts'
import { type Creation, CreationFailed, note } from './creation.ts'
import { afterFailure, sinceOf } from './later.ts'
import { inTheEnd } from './sentences.ts'

/** Calls the provider; while it is unavailable, the creation is retried later. */
export async function insist<T>(
  creation: Creation,
  ask: (provider: Provider, account: Account) => Promise<T>,
): Promise<T> {
  const token = await tokenOf(creation)
  try {
    const answer = await ask(creation.provider, accountOf(creation.ctx, token, creation.run.signal))
    await hear(creation, token)
    return answer
  } catch (error) {
    throw await afterFailure(creation, token, error)
  }
}

export async function tokenOf({ ctx, cloud }: Creation): Promise<CloudTokenRow> {
  const { workspace_id: workspaceId, cloud_token_id: id } = cloud
  const row = id === null ? undefined : await findCloudToken(ctx, workspaceId, id)
  if (!row) throw new CreationFailed(inTheEnd(cloud, 'The cloud token of this server was deleted.'))
  return row
}

/** Clears the unavailability message, unless a create request is still open. */
async function hear(creation: Creation, token: CloudTokenRow): Promise<void> {
  const { ctx, run, server, cloud } = creation
  if (sinceOf(server.reason) === undefined) return
  if (cloud.asked_at === null) await note(creation, { server: { reason: null } })
  if (token.error !== null) await noteAccepted(ctx, token, run.signal)
}

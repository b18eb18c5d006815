import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { accountOf, findCloudToken } from '../cloud-tokens/cloud-token.ts'
import { isNo } from '../cloud-tokens/noted.ts'
import { CloudAway, CloudBusy } from '../providers/cloud-errors.ts'
import { enqueueProvision } from '../servers/creation.ts'
import type { Creation } from './creation.ts'
import { pauseAfter } from './later.ts'
import { paceOf } from './settle.ts'
import { updateCloudServer } from './store.ts'

/** It has called: its key is on the server itself. A cloud that is away is asked again later; whose token is of no use, never. */
export async function takeKeyAway(creation: Creation): Promise<void> {
  const { ctx, run, server, cloud, tries } = creation
  const { workspace_id: workspaceId, server_id: id, cloud_key_id: key } = cloud
  if (key === null) return
  const write = (change: (trx: Trx) => Promise<unknown>) =>
    transaction(ctx.db, async (trx) => {
      await run.stillMine(trx)
      await change(trx)
    })
  try {
    await remove(creation, key)
  } catch (error) {
    run.signal.throwIfAborted()
    if (!(error instanceof CloudAway || error instanceof CloudBusy)) throw error
    const delay = pauseAfter(tries, error.retryAfter) * paceOf(ctx.config)
    return write((trx) => enqueueProvision(ctx, trx, server, { tries: tries + 1, delay }))
  }
  await write((trx) => updateCloudServer(trx, workspaceId, id, { cloud_key_id: null }))
}

async function remove({ ctx, run, cloud, provider }: Creation, key: string): Promise<void> {
  const { workspace_id: workspaceId, server_id: id, cloud_token_id: tokenId } = cloud
  const token = tokenId === null ? undefined : await findCloudToken(ctx, workspaceId, tokenId)
  try {
    if (token) await provider.removeKey(accountOf(ctx, token, run.signal), key)
  } catch (error) {
    if (!isNo(error)) throw error
    ctx.log.info({ server: id }, 'The key of a server stays at its cloud, which does not take the token.')
  }
}

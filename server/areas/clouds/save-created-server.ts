import { nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { CloudServer } from '../providers/provider.ts'
import { changeServer, lockServer } from '../servers/server.ts'
import { CreationChanged, type Creation, readCreation } from './creation.ts'
import { enqueueStray } from './orphaned-servers.ts'
import { lockCloudServer, markCreated, updateCloudServer } from './store.ts'

/**
 * Saves the created server, even if it is to be destroyed by now. Destroys it if another worker has taken
 * over.
 */
export async function saveCreatedServer(creation: Creation, made: CloudServer): Promise<void> {
  const { ctx, run, cloud } = creation
  const { workspace_id: workspaceId, server_id: id } = cloud
  try {
    await transaction(ctx.db, async (trx) => {
      await run.assertLease(trx)
      const server = await lockServer(trx, workspaceId, id)
      const now = await lockCloudServer(trx, workspaceId, id)
      if (!server || !now || now.step !== 'create') throw new CreationChanged()
      await updateCloudServer(trx, workspaceId, id, {
        cloud_id: made.id,
        asked_at: null,
        status: made.status,
        seen_at: ctx.now(),
        ...(made.price && { price_monthly: made.price.monthly, currency: made.price.currency }),
        ...(server.status === 'provisioning' && { step: 'boot', waited_seconds: 0 }),
      })
      await markCreated(trx, workspaceId, id)
      if (server.status === 'provisioning') await changeServer(trx, workspaceId, id, { reason: null })
      await nudge(trx, workspaceId, 'server.changed', id)
    })
  } catch (error) {
    await disown(creation, made)
    throw error
  }
}

/** A current creation adopts the server by its tag; otherwise destroy it, because it would be billed. */
async function disown({ ctx, run, cloud }: Creation, { id }: CloudServer): Promise<void> {
  const { workspace_id, server_id, cloud_token_id } = cloud
  const now = await readCreation(ctx, run, workspace_id, server_id)
  if (now?.cloud.cloud_id === id) return
  if (now?.server.status === 'provisioning' && now.cloud.cloud_id === null) return
  if (cloud_token_id !== null) await enqueueStray(ctx, { workspace_id, cloud_token_id, cloud_id: id })
}

import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { cancelJobsByKey } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { findCloudToken } from '../cloud-tokens/cloud-token.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { assertCanOperate } from '../servers/root-access.ts'
import { cloudJobKey, enqueueKeyRemoval } from '../servers/cloud-creation.ts'
import { forgetServer, cleanUpDeletedServer, lockDeletableServer } from '../servers/delete-server.ts'
import { providerName } from '../servers/present-cloud.ts'
import { requestedAgoMs, type CloudServerRow, findCloudServer, lockCloudServer } from './store.ts'

/** Deletes a server from Slipway only; at the provider it keeps running and is billed. */
export async function removeFromSlipway(ctx: Context, actor: Actor, id: Id<'server'>): Promise<void> {
  const { id: workspaceId } = actor.workspace
  assertCanOperate(actor, await getServerRow(ctx, actor, id), 'turn off deployments')
  const server = await transaction(ctx.db, async (trx) => {
    // Cancel jobs before locking the row, in the order that workers lock.
    if (await findCloudServer(trx, workspaceId, id)) await cancelJobsByKey(trx, cloudJobKey(id))
    const server = await lockDeletableServer(trx, workspaceId, id)
    const cloud = await lockCloudServer(trx, workspaceId, id)
    if (cloud) await detachFromCloud(ctx, trx, server, cloud)
    await forgetServer(trx, actor, server)
    return server
  })
  await cleanUpDeletedServer(ctx, server)
}

/** Cancels pending work at the provider, except removing the key. */
async function detachFromCloud(
  ctx: Context,
  trx: Trx,
  server: ServerRow,
  cloud: CloudServerRow,
): Promise<void> {
  // In these steps, the ID at the provider is not known yet, so the server could not be found again.
  if (server.status === 'provisioning' && (cloud.step === 'key' || cloud.step === 'create'))
    throw conflict(
      'being_created',
      `The server ${server.name} is being created and would be left at its cloud provider unmanaged. Destroy it instead, or try again shortly.`,
    )
  if (await mayTurnUp(ctx, trx, cloud))
    throw conflict(
      'being_created',
      `Slipway does not know yet whether ${providerName(cloud)} created the server ${server.name}. If it did, the server would stay there, unmanaged and billed. Destroy the server instead.`,
    )
  await enqueueKeyRemoval(ctx, trx, cloud.workspace_id, cloud)
}

const day = 86_400_000

/** Tells whether Slipway can still find out the result of an open create request; never with a rejected token. */
async function mayTurnUp(ctx: Context, trx: Trx, cloud: CloudServerRow): Promise<boolean> {
  const { workspace_id, server_id, cloud_token_id: id } = cloud
  const ago = await requestedAgoMs(trx, workspace_id, server_id)
  if (ago === null || ago > day) return false
  const token = id === null ? undefined : await findCloudToken({ ...ctx, db: trx }, workspace_id, id)
  return token !== undefined && token.error === null
}

import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import { cancelJobsByKey, enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { lockCloudToken } from '../cloud-tokens/cloud-token.ts'
import { cloudJobKey, deleteServerImportTokens } from '../servers/cloud-creation.ts'
import { lockDeletableServer } from '../servers/delete-server.ts'
import { providerName } from '../servers/present-cloud.ts'
import { changeServer, type ServerRow } from '../servers/server.ts'
import { cancelSetups, dropSetups } from '../servers/request-setup.ts'
import { type CloudServerRow, findCloudServer, lockCloudServer } from './store.ts'

/** Requests the destruction of a server at its provider. A repeated request retries immediately. */
export async function requestDestroy(ctx: Context, actor: Actor, id: Id<'server'>): Promise<void> {
  const { id: workspaceId } = actor.workspace
  await transaction(ctx.db, async (trx) => {
    const token = await stopFor(trx, workspaceId, id)
    const server = await lockDeletableServer(trx, workspaceId, id)
    mustBeSeen(await lockCloudServer(trx, workspaceId, id), token)
    if (server.status !== 'deleting') await begin(trx, actor, server)
    await enqueueDestroy(ctx, trx, { workspace_id: workspaceId, server_id: id })
  })
}

/** Jobs are canceled before the row is locked, in the order that workers lock. */
async function stopFor(trx: Trx, workspaceId: Id<'workspace'>, id: Id<'server'>) {
  const cloud = await findCloudServer(trx, workspaceId, id)
  if (!cloud) return undefined
  const { cloud_token_id: tokenId } = cloud
  const token = tokenId === null ? undefined : await lockCloudToken(trx, workspaceId, tokenId)
  await cancelJobsByKey(trx, cloudJobKey(id))
  await cancelSetups(trx, id)
  return token?.id
}

function mustBeSeen(cloud: CloudServerRow | undefined, token: Id<'cloudToken'> | undefined): void {
  if (!cloud)
    throw new Invalid({
      cloud: ['Must be `keep`: this server does not belong to a cloud provider that Slipway supports.'],
    })
  const name = providerName(cloud)
  if (token === undefined || cloud.cloud_token_id !== token)
    throw new Invalid({
      cloud: [
        `Must be \`keep\`: the cloud token of this server was deleted. Add a token for that ${name} account, or destroy the server at ${name}.`,
      ],
    })
}

async function begin(trx: Trx, actor: Actor, server: ServerRow): Promise<void> {
  const { workspace_id: workspaceId, id, name, version } = server
  await dropSetups(trx, server)
  await deleteServerImportTokens(trx, server)
  await changeServer(trx, workspaceId, id, {
    status: 'deleting',
    reason: null,
    offered_host_key: null,
    containers_live: false,
    // A new version closes all connections to the server.
    version: version + 1,
  })
  await emit(trx, actor, workspaceId, 'server.destroying', { kind: 'server', id, name })
}

/** Retries after internal errors. Waiting for an unavailable provider does not count. */
const attempts = 1_000

interface Destroying {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
  tries?: number
}

export const enqueueDestroy = (ctx: Context, trx: Trx, payload: Destroying, delay = 0) =>
  enqueue(ctx.secrets, trx, {
    kind: 'destroy-server',
    payload,
    key: cloudJobKey(payload.server_id),
    lane: 'clouds',
    attempts,
    delay,
  })

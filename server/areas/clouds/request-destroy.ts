import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import { cancelKey, enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { holdCloudToken } from '../cloud-tokens/cloud-token.ts'
import { cloudKey, forgetLines } from '../servers/creation.ts'
import { lockUnused } from '../servers/delete.ts'
import { providerName } from '../servers/cloud.ts'
import { changeServer, type ServerRow } from '../servers/server.ts'
import { cancelSetups, dropSetups } from '../servers/setup.ts'
import { type CloudServerRow, findCloudServer, lockCloudServer } from './store.ts'

/** Has a server destroyed at its cloud, and then forgotten. Asked again, that is tried again at once. */
export async function requestDestroy(ctx: Context, actor: Actor, id: Id<'server'>): Promise<void> {
  const { id: workspaceId } = actor.workspace
  await transaction(ctx.db, async (trx) => {
    const token = await stopFor(trx, workspaceId, id)
    const server = await lockUnused(trx, workspaceId, id)
    mustBeSeen(await lockCloudServer(trx, workspaceId, id), token)
    if (server.status !== 'deleting') await begin(trx, actor, server)
    await enqueueDestroy(ctx, trx, { workspace_id: workspaceId, server_id: id })
  })
}

/**
 * All that works on it is told to stop, before its row is locked: those have the two in that order. The token that it is seen
 * through, if there is one, is not deleted before the server is known to need it.
 */
async function stopFor(trx: Trx, workspaceId: Id<'workspace'>, id: Id<'server'>) {
  const cloud = await findCloudServer(trx, workspaceId, id)
  if (!cloud) return undefined
  const { cloud_token_id: tokenId } = cloud
  const token = tokenId === null ? undefined : await holdCloudToken(trx, workspaceId, tokenId)
  await cancelKey(trx, cloudKey(id))
  await cancelSetups(trx, id)
  return token?.id
}

function mustBeSeen(cloud: CloudServerRow | undefined, token: Id<'cloudToken'> | undefined): void {
  if (!cloud)
    throw new Invalid({
      cloud: ['Must be keep: this server does not belong to a cloud provider that Slipway supports.'],
    })
  const name = providerName(cloud)
  if (token === undefined || cloud.cloud_token_id !== token)
    throw new Invalid({
      cloud: [
        `Must be keep: the cloud token of this server was deleted. Add a token of that ${name} account, or destroy the server at ${name}.`,
      ],
    })
}

/** From here on it is of no use to anybody: what is under way with it ends, and no line to call with is taken any more. */
async function begin(trx: Trx, actor: Actor, server: ServerRow): Promise<void> {
  const { workspace_id: workspaceId, id, name, version } = server
  await dropSetups(trx, server)
  await forgetLines(trx, server)
  await changeServer(trx, workspaceId, id, {
    status: 'deleting',
    reason: null,
    offered_host_key: null,
    containers_live: false,
    // Whoever is connected to it finds that it is not what it was.
    version: version + 1,
  })
  await emit(trx, actor, workspaceId, 'server.destroying', { kind: 'server', id, name })
}

/** How often it is tried again when the fault is ours. A cloud that is away is waited for, however long. */
const attempts = 1_000

interface Destroying {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
  /** How often a cloud did not do it, if it did not. */
  tries?: number
}

export const enqueueDestroy = (ctx: Context, trx: Trx, payload: Destroying, delay = 0) =>
  enqueue(ctx.secrets, trx, {
    kind: 'destroy-server',
    payload,
    key: cloudKey(payload.server_id),
    lane: 'clouds',
    attempts,
    delay,
  })

import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import type { CloudTokenRow } from '../cloud-tokens/cloud-token.ts'
import type { CloudServer } from '../providers/provider.ts'
import { changeServer, lockServer, type ServerRow } from '../servers/server.ts'
import { compareWithProvider } from './drift.ts'
import { confirmNotCreated } from './failure-messages.ts'
import { visibilityDelayMs } from './creation.ts'
import {
  requestedAgoMs,
  type CloudServerRow,
  lockCloudServer,
  createdAgoMs,
  updateCloudServer,
} from './store.ts'

interface CloudReading {
  found: CloudServer | undefined
  duplicates: string[]
  /** Monotonic time of the request for the list. */
  began?: number
}

export const saveSeenServer = (
  ctx: Context,
  token: CloudTokenRow,
  { workspace_id: workspaceId, server_id: id, cloud_id }: CloudServerRow,
  { found, duplicates, began }: CloudReading,
): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const server = await lockServer(trx, workspaceId, id)
    const cloud = await lockCloudServer(trx, workspaceId, id)
    // Skip servers whose creation or destruction started after the list was requested.
    if (!server || !cloud || isChanging(server.status) || cloud.cloud_id !== cloud_id) return
    if (!found && cloud_id === null) return noteNotCreated(ctx, trx, server, cloud, began)
    // Some providers do not list new servers immediately.
    if (!found && ((await createdAgoMs(trx, workspaceId, id)) ?? Infinity) < visibilityDelayMs(ctx.config))
      return
    const drifted = compareWithProvider(server, cloud, { found, duplicates, at: ctx.now() })
    await updateCloudServer(trx, workspaceId, id, {
      ...drifted.cloud,
      cloud_token_id: cloud.cloud_token_id ?? token.id,
    })
    if (Object.keys(drifted.server).length > 0) await changeServer(trx, workspaceId, id, drifted.server)
    const target = { kind: 'server', id, name: server.name }
    for (const sentence of drifted.sentences)
      await emit(trx, 'slipway', workspaceId, 'server.cloud_changed', target, sentence)
    const isShown = cloud.cloud_token_id === null || cloud.status !== drifted.cloud.status
    const isPlaced = server.address === null && drifted.server.address !== null
    if (drifted.sentences.length === 0 && (isShown || isPlaced))
      await nudge(trx, workspaceId, 'server.changed', id)
  })

/** Confirms that no server was created, once a requested one would be listed. */
async function noteNotCreated(
  ctx: Context,
  trx: Trx,
  { workspace_id: workspaceId, id, reason }: ServerRow,
  cloud: CloudServerRow,
  began = performance.now(),
): Promise<void> {
  await updateCloudServer(trx, workspaceId, id, { seen_at: ctx.now() })
  const ago = await requestedAgoMs(trx, workspaceId, id)
  if (ago === null || ago - (performance.now() - began) < visibilityDelayMs(ctx.config)) return
  await updateCloudServer(trx, workspaceId, id, { asked_at: null })
  await changeServer(trx, workspaceId, id, { reason: confirmNotCreated(cloud, reason) })
  await nudge(trx, workspaceId, 'server.changed', id)
}

const isChanging = (status: string) => status === 'provisioning' || status === 'deleting'

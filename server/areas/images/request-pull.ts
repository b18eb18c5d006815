import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { assertServerUsable } from '../servers/assert-server-usable.ts'
import { imageTarget, onServer } from './image.ts'
import { readImageName, writeImageName } from './image-name.ts'
import { presentPull } from './pull.ts'
import { findUnfinishedPull, insertPull, type PullRow, updatePull } from './store.ts'

/** Attempts when the server, Docker or Slipway becomes unavailable. */
export const pullAttempts = 6

/** Returns a pull of the same image that is already in progress. */
export async function requestPull(ctx: Context, actor: Actor, id: Id<'server'>, given: string) {
  const server = await getServerRow(ctx, actor, id)
  assertServerUsable(server)
  const image = writeImageName(readImageName(given))
  for (;;) {
    const row =
      (await transaction(ctx.db, (trx) => insertPullJob(ctx, trx, actor, server, image))) ??
      (await findUnfinishedPull(ctx.db, server.workspace_id, server.id, image))
    // The other pull may have finished in between.
    if (row) return presentPull(row)
  }
}

async function insertPullJob(
  ctx: Context,
  trx: Trx,
  actor: Actor,
  server: ServerRow,
  image: string,
): Promise<PullRow | undefined> {
  const { id: serverId, workspace_id: workspaceId } = server
  const row = await insertPull(trx, {
    id: newId('pull'),
    workspace_id: workspaceId,
    server_id: serverId,
    image,
    status: 'queued',
    actor_id: actor.user.id,
    actor_name: actor.user.name,
  })
  if (!row) return undefined
  const job = await enqueue(ctx.secrets, trx, {
    kind: 'pull-image',
    payload: { workspace_id: workspaceId, pull_id: row.id },
    key: `pull:${row.id}`,
    // Pulls take minutes and share the bandwidth of the server.
    group: { name: `pull:${serverId}`, limit: 3 },
    lane: 'pull',
    attempts: pullAttempts,
  })
  await emit(trx, actor, workspaceId, 'image.pull_started', imageTarget(image), onServer(server))
  await nudge(trx, workspaceId, 'pull.changed', serverId)
  return updatePull(trx, workspaceId, row.id, { job_id: job })
}

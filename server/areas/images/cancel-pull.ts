import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import { cancelJob } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import { imageTarget, onServer } from './image.ts'
import { getPullRow, type PullRef, presentPull } from './pull.ts'
import { updatePull } from './store.ts'

/** Works while the server is unreachable; a finished pull stays as it is. */
export async function cancelPull(ctx: Context, actor: Actor, named: PullRef) {
  const server = await getServerRow(ctx, actor, named.id)
  const before = await getPullRow(ctx, actor, named)
  const { id: workspaceId } = actor.workspace
  const ended = await transaction(ctx.db, async (trx) => {
    const changes = { status: 'cancelled', error: null, finished_at: new Date() } as const
    const row = await updatePull(trx, workspaceId, before.id, changes)
    if (!row) return undefined
    // The worker closes the connection, which makes Docker stop.
    if (row.job_id) await cancelJob(trx, row.job_id)
    await emit(trx, actor, workspaceId, 'image.pull_cancelled', imageTarget(row.image), onServer(server))
    await nudge(trx, workspaceId, 'pull.changed', server.id)
    return row
  })
  return presentPull(ended ?? (await getPullRow(ctx, actor, named)))
}

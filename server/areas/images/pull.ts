import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { pull } from '../../../contract/images.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { PageQuery } from '../../platform/pagination.ts'
import type { Actor } from '../../route.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import {
  findPullRow,
  findUnfinishedPull,
  insertPull,
  listPullRows,
  type PullRow,
  updatePull,
} from './store.ts'
import { emit, nudge } from '../../events.ts'
import { cancelJob, enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { imageTarget, onServer } from './image.ts'
import { newId } from '../../platform/ids.ts'
import type { Trx } from '../../tables.ts'
import { assertServerUsable } from '../servers/assert-server-usable.ts'
import { readImageName, writeImageName } from '../registries/image-reference.ts'

export interface PullRef {
  id: Id<'server'>
  pull_id: Id<'pull'>
}

export const presentPull = (row: PullRow): z.input<typeof pull> => ({
  id: row.id,
  image: row.image,
  status: row.status,
  error: row.error,
  layers: row.layers,
  actor: { name: row.actor_name },
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

export const isPullFinished = ({ status }: PullRow) => status !== 'queued' && status !== 'running'

export async function listPulls(ctx: Context, actor: Actor, id: Id<'server'>, query: PageQuery) {
  await getServerRow(ctx, actor, id)
  const { rows, page } = await listPullRows(ctx.db, actor.workspace.id, id, query)
  return { pulls: rows.map(presentPull), page }
}

export async function getPullRow(ctx: Context, actor: Actor, named: PullRef): Promise<PullRow> {
  const row = await findPullRow(ctx.db, actor.workspace.id, named.pull_id)
  if (row?.server_id !== named.id) throw notFound('This pull')
  return row
}

export const getPull = async (ctx: Context, actor: Actor, named: PullRef) =>
  presentPull(await getPullRow(ctx, actor, named))

export async function cancelPull(ctx: Context, actor: Actor, named: PullRef) {
  const server = await getServerRow(ctx, actor, named.id)
  const before = await getPullRow(ctx, actor, named)
  const { id: workspaceId } = actor.workspace
  const ended = await transaction(ctx.db, async (trx) => {
    const changes = { status: 'cancelled', error: null, finished_at: new Date() } as const
    const row = await updatePull(trx, workspaceId, before.id, changes)
    if (!row) return undefined
    // The canceled job closes its connection to Docker, which stops the pull.
    if (row.job_id) await cancelJob(trx, row.job_id)
    await emit(trx, actor, workspaceId, 'image.pull_cancelled', imageTarget(row.image), onServer(server))
    await nudge(trx, workspaceId, 'pull.changed', server.id)
    return row
  })
  return presentPull(ended ?? (await getPullRow(ctx, actor, named)))
}

export const pullAttempts = 6

export async function requestPull(ctx: Context, actor: Actor, id: Id<'server'>, name: string) {
  const server = await getServerRow(ctx, actor, id)
  assertServerUsable(server)
  const image = writeImageName(readImageName(name))
  for (;;) {
    const row =
      (await transaction(ctx.db, (trx) => insertPullJob(ctx, trx, actor, server, image))) ??
      (await findUnfinishedPull(ctx.db, server.workspace_id, server.id, image))
    // Without a row, the other pull has just finished, so try again.
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

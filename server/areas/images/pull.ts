import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { pull } from '../../../contract/images.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { PageQuery } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import { findPullRow, listPullRows, type PullRow } from './store.ts'

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

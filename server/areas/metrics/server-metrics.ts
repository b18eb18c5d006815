import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import { type Metrics, readMetrics } from './read-metrics.ts'
import { serverSeries } from './series.ts'

export async function getServerMetrics(
  ctx: Context,
  actor: Actor,
  id: Id<'server'>,
  since?: string,
): Promise<{ metrics: Metrics<'server'> }> {
  const server = await getServerRow(ctx, actor, id)
  return {
    metrics: await readMetrics(ctx, serverSeries, actor.workspace.id, { server_id: server.id }, since),
  }
}

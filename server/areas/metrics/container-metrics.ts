import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { inspectContainer } from '../containers/inspect.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { type Metrics, readMetrics } from './read-metrics.ts'
import { containerSeries } from './series.ts'
import { hasContainerSamples } from './store.ts'

export async function getContainerMetrics(
  ctx: Context,
  actor: Actor,
  id: Id<'server'>,
  cid: string,
  since?: string,
): Promise<{ metrics: Metrics<'container'> }> {
  const server = await getServerRow(ctx, actor, id)
  const whose = { server_id: server.id, container_id: await idOf(ctx, server, cid) }
  return { metrics: await readMetrics(ctx, containerSeries, actor.workspace.id, whose, since) }
}

/** The full ID works even after the container was removed or while the server is unreachable. */
async function idOf(ctx: Context, server: ServerRow, cid: string): Promise<string> {
  if (await hasContainerSamples(ctx.db, server.workspace_id, server.id, cid)) return cid
  return (await inspectContainer(ctx, server, cid)).Id
}

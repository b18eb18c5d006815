import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { getApplicationRow } from '../applications/application.ts'
import { type Metrics, readMetrics } from './read-metrics.ts'
import { applicationSeries } from './series.ts'

export async function getApplicationMetrics(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  since?: string,
): Promise<{ metrics: Metrics<'application'> }> {
  await getApplicationRow(ctx, actor, id)
  return {
    metrics: await readMetrics(ctx, applicationSeries, actor.workspace.id, { application_id: id }, since),
  }
}

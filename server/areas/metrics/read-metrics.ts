import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { getApplicationRow } from '../applications/application.ts'
import { getServerRow } from '../servers/server.ts'
import {
  applicationSeries,
  containerSeries,
  type MetricKind,
  type Sample,
  type Series,
  serverSeries,
} from './series.ts'
import { latencyPercentiles } from './percentiles.ts'
import { hasContainerSamples, listRawPoints, listRolledUpPoints, type MetricOwner } from './store.ts'
import { inspectContainer } from '../containers/docker-container.ts'

interface Metrics<K extends MetricKind> {
  since: string
  step_seconds: number
  points: (Sample<K> & { at: string })[]
}

interface MetricsQuery {
  since?: string | undefined
  until?: string | undefined
}

export async function getServerMetrics(ctx: Context, actor: Actor, id: Id<'server'>, span: MetricsQuery) {
  const { id: server_id } = await getServerRow(ctx, actor, id)
  return { metrics: await readMetrics(ctx, serverSeries, actor.workspace.id, { server_id }, span) }
}

export async function getContainerMetrics(
  ctx: Context,
  actor: Actor,
  id: Id<'server'>,
  cid: string,
  span: MetricsQuery,
) {
  const server = await getServerRow(ctx, actor, id)
  // The full ID works even after the container was removed or while the server is unreachable.
  const isFullId = await hasContainerSamples(ctx.db, server.workspace_id, server.id, cid)
  const container_id = isFullId ? cid : (await inspectContainer(ctx, server, cid)).Id
  const owner = { server_id: server.id, container_id }
  return { metrics: await readMetrics(ctx, containerSeries, actor.workspace.id, owner, span) }
}

export async function getApplicationMetrics(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  span: MetricsQuery,
) {
  await getApplicationRow(ctx, actor, id)
  const owner = { application_id: id }
  const { points, ...metrics } = await readMetrics(ctx, applicationSeries, actor.workspace.id, owner, span)
  return {
    metrics: { ...metrics, points: points.map((point) => ({ ...point, ...latencyPercentiles(point) })) },
  }
}

/** Seconds per step from which roll-ups are used. Samples are kept longer than shorter steps need. */
const ROLLED_UP = 300

async function readMetrics<K extends MetricKind>(
  ctx: Context,
  series: Series<K>,
  workspaceId: Id<'workspace'>,
  owner: MetricOwner,
  span: MetricsQuery,
): Promise<Metrics<K>> {
  const { since, until, stepSeconds } = toTimeSpan(ctx.now(), span)
  const list = stepSeconds < ROLLED_UP ? listRawPoints : listRolledUpPoints
  const rows = await list(ctx.db, series, workspaceId, owner, { since, until, stepSeconds })
  return {
    since: since.toISOString(),
    step_seconds: stepSeconds,
    points: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
  }
}

const HOUR = 3_600_000
const MAX_SPAN = 30 * 24 * HOUR
/** Maximum number of points in a chart, plus one for the time of the call itself. */
const MAX_POINTS = 361
/** The shortest step exceeds the sampling interval, so that an empty step is a gap. */
const steps = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200] as const

export interface TimeSpan {
  since: Date
  until: Date
  stepSeconds: number
}

export function toTimeSpan(now: Date, span: MetricsQuery = {}): TimeSpan {
  const until =
    span.until === undefined ? now.getTime() : Math.min(new Date(span.until).getTime(), now.getTime())
  const requested = span.since === undefined ? until - HOUR : new Date(span.since).getTime()
  const since = Math.max(requested, now.getTime() - MAX_SPAN)
  const seconds = (until - since) / 1_000
  // Samples are kept for a day only, so older times need roll-ups.
  const least = now.getTime() - since > 23 * HOUR ? ROLLED_UP : 0
  const stepSeconds = steps.find((step) => step >= least && seconds / step <= MAX_POINTS) ?? 7_200
  const step = stepSeconds * 1_000
  return { since: new Date(Math.floor(since / step) * step), until: new Date(until), stepSeconds }
}

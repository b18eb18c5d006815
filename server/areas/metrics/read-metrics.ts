import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { MetricKind, Sample, Series } from './series.ts'
import { toTimeSpan } from './time-span.ts'
import { listRawPoints, listRolledUpPoints, type MetricOwner } from './store.ts'

/** Seconds per step from which roll-ups are used. Samples are kept longer than shorter steps need. */
const ROLLED_UP = 300

export interface Metrics<K extends MetricKind> {
  since: string
  step_seconds: number
  points: (Sample<K> & { at: string })[]
}

export async function readMetrics<K extends MetricKind>(
  ctx: Context,
  series: Series<K>,
  workspaceId: Id<'workspace'>,
  whose: MetricOwner,
  since: string | undefined,
): Promise<Metrics<K>> {
  const span = toTimeSpan(ctx.now(), since)
  const list = span.stepSeconds < ROLLED_UP ? listRawPoints : listRolledUpPoints
  const rows = await list(ctx.db, series, workspaceId, whose, span)
  return {
    since: span.since.toISOString(),
    step_seconds: span.stepSeconds,
    points: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
  }
}

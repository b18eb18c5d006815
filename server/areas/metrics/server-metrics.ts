import type { z } from 'zod'
import type { Id } from '../../../contract/ids.ts'
import type { getServerMetrics as contract } from '../../../contract/metrics.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import { listRawPoints, listRolledUpPoints, type PointRow } from './store.ts'

const HOUR = 3_600_000
/** How long roll-ups are kept. */
const FARTHEST = 30 * 24 * HOUR
/** A chart shows no more; and one, for the time that the call itself took. */
const MOST_POINTS = 361
/** The shortest is longer than the pause between samples, so that an empty one is a gap. */
const steps = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200] as const
/** From here on the roll-ups serve. The raw samples are there for longer than all shorter steps can show. */
const ROLLED_UP = 300

type Metrics = z.input<typeof contract.reply>

export async function getServerMetrics(
  ctx: Context,
  actor: Actor,
  id: Id<'server'>,
  since?: string,
): Promise<Metrics> {
  const server = await getServerRow(ctx, actor, id)
  const span = spanOf(ctx.now(), since)
  const list = span.stepSeconds < ROLLED_UP ? listRawPoints : listRolledUpPoints
  const points = await list(ctx.db, actor.workspace.id, server.id, span)
  return {
    metrics: {
      since: span.since.toISOString(),
      step_seconds: span.stepSeconds,
      points: points.map(present),
    },
  }
}

/** Begins with a whole step, so that the points of two calls lie at the same times. */
export function spanOf(now: Date, given?: string): { since: Date; stepSeconds: number } {
  const wanted = given === undefined ? now.getTime() - HOUR : new Date(given).getTime()
  const since = Math.max(wanted, now.getTime() - FARTHEST)
  const seconds = (now.getTime() - since) / 1_000
  const stepSeconds = steps.find((step) => seconds / step <= MOST_POINTS) ?? 7_200
  const step = stepSeconds * 1_000
  return { since: new Date(Math.floor(since / step) * step), stepSeconds }
}

const present = ({ at, ...figures }: PointRow): Metrics['metrics']['points'][number] => ({
  at: at.toISOString(),
  ...figures,
})
